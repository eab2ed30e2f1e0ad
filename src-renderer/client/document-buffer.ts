/**
 * A client's half of a document: keystrokes count at once, one change is in flight, the rest waits behind it, and what
 * others do is rebased over both. Pure. Law: when nothing is in flight, every client's text is the sidecar's.
 */

import type { TextChange } from '#contract/document'
import { applyChanges, type ChangeSet, compose, replacement, transform } from '#contract/document-transform'

export interface IncomingEdit {
  readonly version: number
  readonly changes: ChangeSet
  readonly clientId: string | null
}

export interface DocumentBuffer {
  /** What the editor shows. */
  readonly text: string
  /** The sidecar's version that everything but own unacknowledged changes is based on. */
  readonly version: number
  /** Own changes that are not acknowledged. */
  readonly waiting: boolean
  /** Changes of `text`, made by the editor, which has them already. */
  edit(changes: ChangeSet): void
  /** The next change to send; null while one is in flight or nothing waits. */
  take(): { baseVersion: number; changes: TextChange[] } | null
  /** What the editor has to apply; [] for an own acknowledgement or something known; 'gap' when events were missed: reopen. */
  receive(edited: IncomingEdit): ChangeSet | 'gap'
  /**
   * A fresh snapshot after a lost connection. Answers what the editor has to apply; own changes that did not arrive wait
   * to be sent again. `sameRun` false: the sidecar started anew and may have forgotten the last second, so that this
   * client's text wins if it was the last to type or still has something to send.
   */
  reopen(fresh: { text: string; version: number }, sameRun: boolean): ChangeSet
}

/** The wire's bound on changes in one set. */
const MAX_CHANGES = 10_000

const cost = (changes: ChangeSet) => changes.reduce((sum, { from, to, text }) => sum + to - from + text.length, 0)

export function createDocumentBuffer(opened: { text: string; version: number }, clientId: string): DocumentBuffer {
  let { text, version } = opened
  /** The sidecar's text at `version`. */
  let known = text
  let inFlight: ChangeSet | null = null
  let pending: ChangeSet = []
  let lastTyped: string | null = null

  const unsent = (): ChangeSet => compose(inFlight ?? [], pending)

  function rebase(changes: ChangeSet): ChangeSet {
    const overFlight = transform(changes, inFlight ?? [], 'before')
    if (inFlight) inFlight = transform(inFlight, changes, 'after')
    const mine = transform(overFlight, pending, 'before')
    pending = transform(pending, overFlight, 'after')
    text = applyChanges(text, mine)
    return mine
  }

  function reset(fresh: { text: string; version: number }, waiting: ChangeSet): void {
    known = fresh.text
    version = fresh.version
    inFlight = null
    pending = waiting
    text = applyChanges(known, pending)
  }

  return {
    get text() {
      return text
    },
    get version() {
      return version
    },
    get waiting() {
      return inFlight !== null || pending.length > 0
    },
    edit(changes) {
      pending = compose(pending, changes)
      text = applyChanges(text, changes)
      lastTyped = clientId
    },
    take() {
      if (inFlight || pending.length === 0) return null
      inFlight = pending.length > MAX_CHANGES ? replacement(known, text) : pending
      pending = []
      if (inFlight.length > 0) return { baseVersion: version, changes: [...inFlight] }
      inFlight = null
      return null
    },
    receive(edited) {
      if (edited.version <= version) return []
      if (edited.version !== version + 1) return 'gap'
      version = edited.version
      known = applyChanges(known, edited.changes)
      if (edited.clientId === clientId && inFlight) {
        inFlight = null
        return []
      }
      if (edited.clientId) lastTyped = edited.clientId
      return rebase(edited.changes)
    },
    reopen(fresh, sameRun) {
      const shown = text
      if (!sameRun) {
        const mineWins = inFlight !== null || pending.length > 0 || lastTyped === clientId
        reset(fresh, mineWins ? replacement(fresh.text, shown) : [])
        return replacement(shown, text)
      }
      // Whether the change in flight arrived is not known: the reading that explains the fresh text with less is taken.
      const arrived = replacement(applyChanges(known, inFlight ?? []), fresh.text)
      const lost = replacement(known, fresh.text)
      const [theirs, mine] = cost(arrived) < cost(lost) ? [arrived, pending] : [lost, unsent()]
      const forEditor = transform(theirs, mine, 'before')
      reset(fresh, transform(mine, theirs, 'after'))
      return forEditor
    },
  }
}
