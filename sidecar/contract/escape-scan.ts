/**
 * Knows, at any byte of a terminal's output, whether an escape sequence or a character is still open, and what would bring
 * a fresh parser into the same state. Follows xterm's state machine (vt100.net), over bytes.
 */

/** What a parser that starts here must be told first. */
export interface OpenSequence {
  /** The unfinished bytes: replayed as they came. Empty when nothing is open, or when `introducer` stands in for them. */
  readonly tail: Uint8Array
  /** For strings too long to keep: opens a string of the same kind, whose content is lost. */
  readonly introducer: string
}

export interface EscapeScan {
  push(bytes: Uint8Array): void
  open(): OpenSequence
}

type State = 'ground' | 'escape' | 'escape-inter' | Head | 'osc' | 'apc' | 'dcs-body'
type Head = `${'csi' | 'dcs'}-${'entry' | 'param' | 'inter' | 'ignore'}`

const MAX_TAIL_BYTES = 4096
/** Longer control sequences are rare, and looked at byte by byte. */
const MAX_QUICK_BYTES = 256
const none: OpenSequence = { tail: new Uint8Array(0), introducer: '' }
const ESC = 0x1b
const C1_LEAD = 0xc2

export function createEscapeScan(): EscapeScan {
  let state: State = 'ground'
  /** Bytes since the sequence began; only its first few thousand are kept. */
  let kept: number[] = []
  let keptAll = true
  let lead = false
  let character: number[] = []

  const keep = (byte: number) => {
    if (kept.length < MAX_TAIL_BYTES) kept.push(byte)
    else keptAll = false
  }
  const enter = (next: State, bytes: number[]) => {
    state = next
    kept = bytes
    keptAll = true
  }
  /** One byte while a sequence is open. C1 controls are two bytes in UTF-8 and count everywhere. */
  const step = (byte: number) => {
    keep(byte)
    if (lead) {
      lead = false
      if (byte >= 0x80 && byte <= 0x9f) return c1(byte)
    }
    if (byte === C1_LEAD) {
      lead = true
      return
    }
    if (byte === ESC) return enter('escape', [ESC])
    if (byte === 0x18 || byte === 0x1a) return enter('ground', [])
    const next = byte < 0x80 ? ascii(state, byte) : byte >= 0xc0 ? nonAscii(state) : state
    if (next === 'ground') enter('ground', [])
    else state = next
  }
  const c1 = (byte: number) => {
    const next = c1States[byte] ?? 'ground'
    enter(next, next === 'ground' ? [] : [C1_LEAD, byte])
  }

  return {
    push(bytes) {
      character = incompleteCharacter(character, bytes)
      let at = 0
      while (at < bytes.length) {
        if (state !== 'ground' || lead) {
          step(bytes[at] as number)
          at++
          continue
        }
        const found = nextIntroducer(bytes, at)
        if (found === bytes.length) return
        const end = bytes[found] === ESC ? endOfControlSequence(bytes, found) : -1
        at = end < 0 ? found + 1 : end
        if (end >= 0) continue
        if (bytes[found] === ESC) enter('escape', [ESC])
        else lead = true
      }
    },
    open() {
      if (state === 'ground') return character.length ? { tail: Uint8Array.from(character), introducer: '' } : none
      if (keptAll) return { tail: Uint8Array.from(kept), introducer: '' }
      return { tail: Uint8Array.from(character), introducer: introducers[state] ?? '\x1b[' }
    },
  }
}

const c1States: Readonly<Record<number, State>> = {
  144: 'dcs-entry',
  152: 'apc',
  155: 'csi-entry',
  157: 'osc',
  158: 'apc',
  159: 'apc',
}
/** DCS goes straight to its body: an unknown function whose content is ignored. */
const introducers: Partial<Record<State, string>> = { osc: '\x1b]', apc: '\x1bX', 'dcs-body': '\x1bPz' }

function ascii(state: State, byte: number): State {
  switch (state) {
    case 'osc':
      return byte === 0x07 ? 'ground' : 'osc'
    case 'apc':
    case 'dcs-body':
    case 'ground':
      return state
    case 'escape':
      return afterEscape(byte)
    case 'escape-inter':
      return byte >= 0x30 && byte < 0x7f ? 'ground' : state
    default:
      return head(state, byte)
  }
}

function afterEscape(byte: number): State {
  if (byte < 0x20 || byte === 0x7f) return 'escape'
  if (byte < 0x30) return 'escape-inter'
  if (byte === 0x5b) return 'csi-entry'
  if (byte === 0x5d) return 'osc'
  if (byte === 0x50) return 'dcs-entry'
  return byte === 0x58 || byte === 0x5e || byte === 0x5f ? 'apc' : 'ground'
}

function head(state: Head, byte: number): State {
  const kind = state.startsWith('csi') ? 'csi' : 'dcs'
  const at = state.slice(4)
  if (byte < 0x20 || byte === 0x7f) return state
  if (byte >= 0x40) return kind === 'csi' ? 'ground' : at === 'ignore' ? state : 'dcs-body'
  if (at === 'ignore') return state
  if (byte < 0x30) return `${kind}-inter`
  if (at === 'inter' || (at === 'param' && byte >= 0x3c)) return `${kind}-ignore`
  return `${kind}-param`
}

/** Letters beyond ASCII belong to strings; anywhere else they break the sequence off. */
const nonAscii = (state: State): State =>
  state === 'osc' || state === 'dcs-body' || state === 'csi-ignore' || state === 'dcs-ignore' ? state : 'ground'

/**
 * The next ESC, or the first byte of what may be a C1 control. One walk: searches for either byte alone would go to the end
 * of the text again and again where the other is frequent.
 */
function nextIntroducer(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === ESC) return at
    if (byte !== C1_LEAD) continue
    const next = bytes[at + 1]
    if (next === undefined || (next >= 0x80 && next <= 0x9f)) return at
  }
  return bytes.length
}

/**
 * The index after a control sequence that starts with the ESC at `at`, of the usual bytes only and ended within `bytes`; -1
 * for all else, which goes byte by byte.
 */
function endOfControlSequence(bytes: Uint8Array, at: number): number {
  if (bytes[at + 1] !== 0x5b) return -1
  const limit = Math.min(bytes.length, at + MAX_QUICK_BYTES)
  for (let end = at + 2; end < limit; end++) {
    const byte = bytes[end] as number
    if (byte >= 0x40 && byte < 0x7f) return end + 1
    if (byte < 0x20 || byte > 0x3f) return -1
  }
  return -1
}

/** The bytes of a UTF-8 character that the end of `bytes` cuts off; `before` is what the previous end cut off. */
function incompleteCharacter(before: number[], bytes: Uint8Array): number[] {
  const last = bytes.length >= 3 ? [...bytes.subarray(bytes.length - 3)] : [...before, ...bytes].slice(-3)
  for (let back = 1; back <= last.length; back++) {
    const byte = last[last.length - back] as number
    if (byte < 0x80) return []
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return back < length ? last.slice(-back) : []
    }
  }
  return []
}
