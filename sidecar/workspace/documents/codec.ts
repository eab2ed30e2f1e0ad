/** Bytes to text and back. The promise: whatever is called text here turns into the very same bytes again. */
import { type Encoding, encodingNames, type LineEnd } from '#contract/document'
import { BelayError } from '#contract/error'
import { decodeOther, encodeOther, isUnicode } from './other-encodings.ts'

export type Decoded =
  | { kind: 'text'; text: string; encoding: Encoding; lineEnd: LineEnd }
  /** No Unicode, and nobody chose what else; `text` shows each byte as one Latin-1 character. */
  | { kind: 'undecodable'; text: string; lineEnd: LineEnd }
  | { kind: 'binary' }

const BOM = '\uFEFF'
/** Bytes looked at to tell text from the rest, as git does. */
const SNIFFED_BYTES = 8000

const startsWith = (bytes: Uint8Array, ...mark: number[]) => mark.every((byte, i) => bytes[i] === byte)
const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What these bytes are, by themselves or as a person chose. Never throws. */
export function decode(bytes: Uint8Array, chosen: Encoding | null = null): Decoded {
  const encoding = markedEncoding(bytes)
  if (!encoding && bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { kind: 'binary' }
  const text = decodeAs(bytes, encoding ?? 'utf8')
  if (text !== null) return { kind: 'text', text, encoding: encoding ?? 'utf8', lineEnd: lineEndOf(text) }
  if (looksBinary(bytes)) return { kind: 'binary' }
  const other = chosen && decodeAs(bytes, chosen)
  if (chosen && other !== null) return { kind: 'text', text: other, encoding: chosen, lineEnd: lineEndOf(other) }
  const shown = asBuffer(bytes).toString('latin1')
  return { kind: 'undecodable', text: shown, lineEnd: lineEndOf(shown) }
}

function markedEncoding(bytes: Uint8Array): Encoding | null {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf8bom'
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf16le'
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf16be'
  return null
}

/** The text in a named encoding; null where these bytes cannot be that encoding without losing some of them. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string | null {
  if (encoding === 'latin1') return asBuffer(bytes).toString('latin1')
  if (encoding === 'utf16le' || encoding === 'utf16be') return decodeUtf16(bytes, encoding)
  if (!isUnicode(encoding)) return decodeOther(asBuffer(bytes), encoding)
  const marked = startsWith(bytes, 0xef, 0xbb, 0xbf)
  if (marked !== (encoding === 'utf8bom')) return null
  try {
    return strictUtf8.decode(marked ? bytes.subarray(3) : bytes)
  } catch {
    return null
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf16le' | 'utf16be'): string | null {
  if (bytes.length % 2 !== 0 || markedEncoding(bytes) !== encoding) return null
  const body = Buffer.from(bytes.subarray(2))
  return (encoding === 'utf16be' ? body.swap16() : body).toString('utf16le')
}

/** Throws `undecodable` where the encoding has no bytes for a character: nothing is written then, nothing is replaced by `?`. */
export function encode(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf16le') return Buffer.from(BOM + text, 'utf16le')
  if (encoding === 'utf16be') return Buffer.from(BOM + text, 'utf16le').swap16()
  if (encoding === 'latin1') {
    const odd = /[^\u0000-\u00ff]/u.exec(text)?.[0]
    if (odd) throw noBytesFor(odd, encoding)
    return Buffer.from(text, 'latin1')
  }
  if (encoding !== 'utf8' && encoding !== 'utf8bom') {
    const made = encodeOther(text, encoding)
    if ('missing' in made) throw noBytesFor(made.missing, encoding)
    return made.bytes
  }
  if (isIllFormed(text)) {
    throw new BelayError('undecodable', 'The text holds half a character that UTF-8 cannot store. Nothing was written.')
  }
  return Buffer.from(encoding === 'utf8bom' ? BOM + text : text, 'utf8')
}

const noBytesFor = (character: string, encoding: Encoding) =>
  new BelayError(
    'undecodable',
    `${encodingNames[encoding]} has no “${character}”. Nothing was written: choose UTF-8 and save again.`,
  )

/** Holds half a surrogate pair, which UTF-16 can store and UTF-8 cannot. */
export const isIllFormed = (text: string): boolean => !(text as WellFormedString).isWellFormed()
/** In every Node we run on, not yet in the library types. */
type WellFormedString = string & { isWellFormed(): boolean }

/** Many bytes no text has, or a zero anywhere. Only asked where the bytes are not UTF-8. */
function looksBinary(bytes: Uint8Array): boolean {
  if (bytes.includes(0)) return true
  const head = bytes.subarray(0, SNIFFED_BYTES)
  const odd = head.reduce(
    (count, byte) => count + (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b ? 1 : 0),
    0,
  )
  return odd > head.length / 20
}

/** The one kind of line end in a text, `lf` where there is none. */
export function lineEndOf(text: string): LineEnd {
  if (!text.includes('\r')) return 'lf'
  const crlf = text.includes('\r\n')
  const cr = /\r(?!\n)/.test(text)
  const lf = /(?<!\r)\n/.test(text)
  if (Number(crlf) + Number(cr) + Number(lf) > 1) return 'mixed'
  return crlf ? 'crlf' : cr ? 'cr' : 'lf'
}
