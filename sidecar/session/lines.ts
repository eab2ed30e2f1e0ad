/** The lines of the list of sessions: what each says now, kept in its small file, and told of when it looks different. */
import type { SessionId } from '#contract/id'
import type { SessionSummary } from '#contract/session'
import type { Emitter } from '../base/emitter.ts'
import { createSerial } from '../base/serial.ts'
import { type Catalog, type Meta, metaOf, summaryOf } from './catalog.ts'
import { stateOf, titleOf } from './digest.ts'
import type { Opened } from './opened.ts'

/** How long a change may wait before the file says it. */
const SAVE_MS = 300

export interface Listed {
  readonly sessionId: SessionId
  readonly summary: SessionSummary | null
}

export interface Lines {
  of(sessionId: SessionId): Promise<{ meta: Meta; summary: SessionSummary } | null>
  /** Follows a session that is written here. */
  follow(sessionId: SessionId, opened: Opened): void
  /** The last word of a session that was written here; afterwards its file speaks. */
  finish(sessionId: SessionId): Promise<void>
  setState(sessionId: SessionId, state: SessionSummary['state']): void
  /** Of sub-agents' sessions nothing is told: they are in no list. */
  tell(sessionId: SessionId): Promise<void>
  dispose(): Promise<void>
}

interface Line {
  readonly opened: Opened
  /** Overrides what the events say, until the next one. */
  state: SessionSummary['state'] | null
  looks: string
  timer: NodeJS.Timeout | null
}

export function createLines(catalog: Catalog, listed: Emitter<Listed>): Lines {
  const lines = new Map<SessionId, Line>()
  const telling = createSerial()

  const of: Lines['of'] = async sessionId => {
    const marks = await catalog.marks(sessionId)
    const line = lines.get(sessionId)
    if (line) {
      const meta = metaOf(sessionId, line.opened.replayed)
      const summary = summaryOf(meta, marks, { by: null, live: true })
      return { meta, summary: { ...summary, state: line.state ?? summary.state } }
    }
    const meta = await catalog.meta(sessionId)
    if (!meta) return null
    const by = await catalog.holder(sessionId)
    return { meta, summary: summaryOf(meta, marks, { by, live: by !== null }) }
  }

  const tell: Lines['tell'] = sessionId =>
    telling(async () => {
      const found = await of(sessionId).catch(() => null)
      if (found && found.meta.parent !== null) return
      listed.emit({ sessionId, summary: found?.summary ?? null })
    })

  const save = async (sessionId: SessionId, line: Line): Promise<void> => {
    if (line.timer) clearTimeout(line.timer)
    line.timer = null
    await catalog.saveMeta(metaOf(sessionId, line.opened.replayed))
  }

  const look = (sessionId: SessionId, line: Line): void => {
    line.timer ??= setTimeout(() => void save(sessionId, line), SAVE_MS).unref()
    const { digest, state } = line.opened.replayed
    const looks = JSON.stringify([titleOf(state.facts, digest), stateOf(digest), digest.turns, digest.preview])
    if (looks === line.looks && line.state === null) return
    line.looks = looks
    line.state = null
    void tell(sessionId)
  }

  return {
    of,
    tell,
    follow(sessionId, opened) {
      const line: Line = { opened, state: null, looks: '', timer: null }
      lines.set(sessionId, line)
      look(sessionId, line)
      opened.session.happened.on(() => {
        if (lines.get(sessionId) === line) look(sessionId, line)
      })
    },
    async finish(sessionId) {
      const line = lines.get(sessionId)
      if (!line) return
      await save(sessionId, line)
      lines.delete(sessionId)
    },
    setState(sessionId, state) {
      const line = lines.get(sessionId)
      if (!line) return
      line.state = state
      void tell(sessionId)
    },
    dispose: () => telling.idle(),
  }
}
