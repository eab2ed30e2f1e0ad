/** A command that the agent left running: its kept output and what comes after, in order; a word to it; its end. */
import type { BackgroundId } from '#contract/id'
import type { BackgroundCommand } from '#contract/session'
import { belay, follow } from './index.ts'

export interface BackgroundSink {
  /** Forget everything: this is what is kept. `cut`: more was written before it. */
  restore(text: string, cut: boolean): void
  write(text: string): void
  changed(command: BackgroundCommand): void
}

/** Until the returned function is called. */
export function openBackground(backgroundId: BackgroundId, sink: BackgroundSink): () => void {
  let expected = 0
  const following = follow({
    open: signal => belay.background.open({ backgroundId }, { signal }),
    onSnapshot({ command, offset, text }) {
      expected = offset + text.length
      sink.restore(text, offset > 0)
      sink.changed(command)
    },
    events: {
      'background/output'({ backgroundId: of, offset, text }) {
        if (of !== backgroundId) return
        if (offset > expected) return 'reopen'
        const fresh = text.slice(expected - offset)
        expected += fresh.length
        if (fresh) sink.write(fresh)
      },
      'background/changed'({ command }) {
        if (command.backgroundId === backgroundId) sink.changed(command)
      },
    },
  })
  return () => {
    following.dispose()
    belay.background.close({ backgroundId }).catch(() => {})
  }
}

/** Rejects with words when it has ended. */
export const sendToBackground = async (backgroundId: BackgroundId, text: string): Promise<void> =>
  void (await belay.background.input({ backgroundId, text }))
/** Answers when its whole process group has ended. */
export const stopBackground = async (backgroundId: BackgroundId): Promise<void> =>
  void (await belay.background.stop({ backgroundId }))
