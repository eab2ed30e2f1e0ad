/** The machine stays awake while a session works, and no longer: one that waits for its person lets it sleep. */
import type { Emitter } from '../base/emitter.ts'
import type { SessionStore } from '../session/store.ts'

type Listed = SessionStore['listed'] extends Emitter<infer Line> ? Line : never

/** Answers what ends it. `wanted` is asked at every change. */
export function keepAwakeWhileWorking(options: {
  listed: Emitter<Listed>
  wanted: () => boolean
  keepAwake: (on: boolean) => void
}): () => void {
  const working = new Set<string>()
  let on = false
  const become = (next: boolean) => {
    if (next === on) return
    on = next
    options.keepAwake(on)
  }
  const unhear = options.listed.on(({ sessionId, summary }) => {
    // One that another instance holds is kept awake for there.
    if (summary?.state === 'running' && !summary.heldBy) working.add(sessionId)
    else working.delete(sessionId)
    become(working.size > 0 && options.wanted())
  })
  return () => {
    unhear()
    become(false)
  }
}
