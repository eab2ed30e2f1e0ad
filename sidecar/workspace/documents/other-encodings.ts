/** Encodings that are not Unicode, by libraries that are loaded when the first of them is met. Only lossless decoding counts. */
import { type Encoding, FULL_DOCUMENT_BYTES, otherEncodings, unicodeEncodings } from '#contract/document'

let loaded: { iconv: typeof import('iconv-lite'); analyse: typeof import('chardet')['analyse'] } | null = null

/** Before anything below is called with an encoding of this kind. */
export async function loadEncodings(): Promise<void> {
  if (loaded) return
  const [{ default: iconv }, { analyse }] = await Promise.all([import('iconv-lite'), import('chardet')])
  loaded = { iconv, analyse }
}

export const isUnicode = (encoding: Encoding): boolean => (unicodeEncodings as readonly string[]).includes(encoding)

const tools = () => {
  if (!loaded) throw new Error('The encodings are not loaded yet')
  return loaded
}

/** Null where the bytes are not such a text: where they would not come back the same, or are too many to try. */
export function decodeOther(bytes: Buffer, encoding: Encoding): string | null {
  if (bytes.length > FULL_DOCUMENT_BYTES) return null
  const { iconv } = tools()
  const text = iconv.decode(bytes, encoding, { stripBOM: false })
  return iconv.encode(text, encoding).equals(bytes) ? text : null
}

/** The character the encoding has no bytes for, where there is one. */
export function encodeOther(text: string, encoding: Encoding): { bytes: Buffer } | { missing: string } {
  const { iconv } = tools()
  const bytes = iconv.encode(text, encoding)
  if (iconv.decode(bytes, encoding, { stripBOM: false }) === text) return { bytes }
  const same = (part: string) => iconv.decode(iconv.encode(part, encoding), encoding, { stripBOM: false }) === part
  return { missing: [...text].find(character => !same(character)) ?? text.slice(0, 1) }
}

const GUESSED_BYTES = 64 * 1024
const LEAST_CONFIDENCE = 10
const MOST_GUESSES = 3
const simplified = (name: string) =>
  name
    .toLowerCase()
    .replace(/^iso-8859-1$/, 'windows1252')
    .replace(/[^a-z0-9]/g, '')
const byName = new Map<string, Encoding>(otherEncodings.map(each => [each, each]))

/** What the bytes may be, the likeliest first; for a person to choose from. Empty until the libraries are there. */
export function guessEncodings(bytes: Buffer): Encoding[] {
  if (!loaded) return []
  const found = loaded
    .analyse(bytes.subarray(0, GUESSED_BYTES))
    .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
    .flatMap(({ name }) => byName.get(simplified(name)) ?? [])
  return [...new Set(found)].filter(each => decodeOther(bytes, each) !== null).slice(0, MOST_GUESSES)
}
