/**
 * Text of strangers on its way to a model: what no eye sees is made visible, and it stands between marks that cannot be
 * written from inside, with its origin. It stays text all the same: nothing here makes it harmless, the permissions do.
 */
import { createHash, randomBytes } from 'node:crypto'

/** Controls but tab and line feed; marks that turn or hide text; tags and selectors, which can carry whole sentences. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu

/** Parts of a picture or of a letter, where they stand as they should. */
const joins =
  /(?<=\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?)\u200d(?=\p{Extended_Pictographic})|(?<=[\p{Extended_Pictographic}\d#*])\ufe0f|(?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}])[\u200c\u200d](?=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Sinhala}\p{Script=Malayalam}])/gu

/** Line ends become line feeds; whatever else is unseen becomes its name: `[U+202E]`. */
export function visibleText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  const kept = new Set([...lines.matchAll(joins)].map(({ index }) => index))
  return lines.replace(unseen, (character, at: number) => (kept.has(at) ? character : nameOf(character)))
}

const nameOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`

/** For text whose author could not know it: made after the text came. */
export const newMark = (): string => randomBytes(8).toString('hex')

/** For text that must be told in the same bytes every time: nobody can write a text that holds its own. */
export const markOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 32)

/** `kind` and `origin` are ours to choose; the origin is made one visible line. */
export const enclosed = (kind: string, mark: string, origin: string, text: string): string =>
  `<${kind} ${mark} from "${oneLine(origin)}">\n${visibleText(text)}\n</${kind} ${mark}>`

/** Hostile words as part of one line of ours. */
export const oneLine = (text: string, most = 500): string => flat(text.replaceAll('"', "'"), most)

/** Hostile words as a line of their own, in which nothing is quoted. */
export const flat = (text: string, most: number): string => {
  const line = visibleText(text).replace(/\s+/g, ' ').trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}
