/**
 * One open text: its versions, what is unsaved in it, and what is true of it. No disk in here.
 * The promise: `text` is always `baseline.text` with `unsaved` applied, and every change is told, in order, exactly once.
 */
import { type DocumentState, EDITABLE_DOCUMENT_BYTES, type Encoding, type TextChange } from '#contract/document'
import { applyChanges, type ChangeSet, compose, isChangeSet, transform } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import type { DocumentId, FileHash } from '#contract/id'
import type { AnyPath } from '#contract/path'

/** What the disk held when this text last agreed with it. */
export interface Baseline {
  readonly text: string
  /** Null: there was no file. */
  readonly hash: FileHash | null
  readonly encoding: Encoding
  readonly bytes: number
}

export type Author = 'person' | 'agent' | 'disk'
export type Edited = { version: number; changes: TextChange[]; by: Author; clientId: string | null }
export type Facts = Pick<
  DocumentState,
  'conflict' | 'encoding' | 'guesses' | 'lineEnd' | 'size' | 'readOnly' | 'note' | 'recovered' | 'backedUp'
>

export interface OpenText {
  readonly documentId: DocumentId
  readonly absolute: string
  readonly path: AnyPath
  readonly text: string
  readonly version: number
  readonly dirty: boolean
  readonly baseline: Baseline
  readonly unsaved: ChangeSet
  readonly state: DocumentState
  /** How often each client has it open. */
  readonly clients: Map<string, number>
  /** A client's change, rebased over what came after `baseVersion`. Answers the version that holds it. Throws `read_only`, `stale`, `invalid`, `too_large`. */
  change(baseVersion: number, changes: ChangeSet, clientId: string | null): number
  /** The disk now holds `baseline`, and the text takes over the same edit. `changes` are on the text as it is. */
  adopt(next: { baseline: Baseline; changes: ChangeSet; unsaved: ChangeSet; by: Author; facts?: Partial<Facts> }): void
  /** The text of `version` is on disk as `baseline`; what was typed since stays unsaved. */
  saved(baseline: Baseline, version: number): void
  update(facts: Partial<Facts>): void
  /** The file has another place now; text, version and what is unsaved stay. */
  moveTo(absolute: string, path: AnyPath): void
}

/** Versions, and characters in them, for which late changes can still be rebased. */
const MAX_HISTORY = 4000
const MAX_HISTORY_CHARACTERS = 8_000_000

interface Step {
  readonly version: number
  readonly changes: ChangeSet
  readonly lengthBefore: number
  readonly characters: number
}

export function createOpenText(options: {
  documentId: DocumentId
  absolute: string
  path: AnyPath
  baseline: Baseline
  text: string
  unsaved: ChangeSet
  facts: Facts
  onEdited: (edited: Edited) => void
  onState: (state: DocumentState) => void
}): OpenText {
  const { documentId } = options
  let { absolute, path } = options
  let { text, baseline, unsaved, facts } = options
  let version = 1
  let dirty = isDirty()
  let told = ''
  const history: Step[] = []
  let historyCharacters = 0

  function isDirty(): boolean {
    return text !== baseline.text || facts.encoding !== baseline.encoding
  }

  const stateNow = (): DocumentState => ({
    documentId,
    path,
    version,
    dirty,
    savedHash: baseline.hash,
    bytes: baseline.bytes,
    ...facts,
  })

  function tellState(): void {
    const state = stateNow()
    const key = JSON.stringify({ ...state, version: 0 })
    if (key === told) return
    told = key
    options.onState(state)
  }

  /** Applies, and remembers how; the caller then settles what is unsaved and tells. */
  function step(changes: ChangeSet): void {
    const characters = changes.reduce((sum, change) => sum + change.text.length, 0)
    history.push({ version: version + 1, changes, lengthBefore: text.length, characters })
    historyCharacters += characters
    while (history.length > MAX_HISTORY || (history.length > 1 && historyCharacters > MAX_HISTORY_CHARACTERS))
      historyCharacters -= history.shift()?.characters ?? 0
    text = applyChanges(text, changes)
    version++
  }

  function settle(edited: Omit<Edited, 'version'> | null): void {
    dirty = isDirty()
    if (!dirty) unsaved = []
    if (edited) options.onEdited({ version, ...edited })
    tellState()
  }

  /** The steps after `baseVersion`; throws when they are forgotten or never were. */
  function since(baseVersion: number): Step[] {
    const count = version - baseVersion
    if (count < 0) throw new BelayError('invalid', 'The change starts from a version that does not exist yet.')
    if (count > history.length)
      throw new BelayError('stale', 'The change starts from a version that is too old. Open the document again.')
    return count === 0 ? [] : history.slice(-count)
  }

  told = JSON.stringify({ ...stateNow(), version: 0 })

  return {
    documentId,
    get absolute() {
      return absolute
    },
    get path() {
      return path
    },
    clients: new Map(),
    get text() {
      return text
    },
    get version() {
      return version
    },
    get dirty() {
      return dirty
    },
    get baseline() {
      return baseline
    },
    get unsaved() {
      return unsaved
    },
    get state() {
      return stateNow()
    },
    change(baseVersion, changes, clientId) {
      if (facts.readOnly) throw new BelayError('read_only', facts.note ?? 'This document cannot be changed here.')
      const later = since(baseVersion)
      if (!isChangeSet(changes, later[0]?.lengthBefore ?? text.length))
        throw new BelayError('invalid', 'The change does not fit the text it says it was made on.')
      const rebased = later.reduce<ChangeSet>((mine, over) => transform(mine, over.changes, 'after'), changes)
      const growth = rebased.reduce((sum, { from, to, text }) => sum + text.length - (to - from), 0)
      if (growth > 0 && text.length + growth > EDITABLE_DOCUMENT_BYTES)
        throw new BelayError('too_large', 'The text would become larger than 64 MB. The change was not made.')
      step(rebased)
      unsaved = compose(unsaved, rebased)
      settle({ changes: [...rebased], by: 'person', clientId })
      return version
    },
    adopt(next) {
      baseline = next.baseline
      facts = { ...facts, ...next.facts }
      if (next.changes.length > 0) step(next.changes)
      unsaved = next.unsaved
      settle(next.changes.length > 0 ? { changes: [...next.changes], by: next.by, clientId: null } : null)
    },
    saved(next, savedVersion) {
      unsaved = since(savedVersion).reduce<ChangeSet>((all, { changes }) => compose(all, changes), [])
      baseline = next
      facts = { ...facts, conflict: 'none', recovered: false }
      settle(null)
    },
    update(next) {
      facts = { ...facts, ...next }
      settle(null)
    },
    moveTo(nextAbsolute, nextPath) {
      absolute = nextAbsolute
      path = nextPath
      settle(null)
    },
  }
}
