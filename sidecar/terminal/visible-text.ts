/** Hostile text made fit to show in one place: no control, bidirectional or invisible characters. */

/** Controls, zero-width and bidirectional characters, line separators, tags, lone surrogates. Newlines and tabs stay. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]|\p{Cs}/gu

export const visibleText = (text: string): string => text.replace(hidden, '')

/** The same on one line, cut at `max` characters. */
export const visibleLine = (text: string, max: number): string =>
  visibleText(text.replace(/[\t\n]+/g, ' '))
    .trim()
    .slice(0, max)
