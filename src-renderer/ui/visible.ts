/** Makes what an eye cannot see visible: control characters, and those that reorder or hide text. Used wherever a person decides. */

/** Line feeds and tabs stay; CR, escapes, zero widths, bidirectional marks and tags do not. */
const hidden =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

const name = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  return `⟦U+${code.toString(16).toUpperCase().padStart(4, '0')}⟧`
}

export const visible = (text: string): string => text.replace(hidden, name)

/** For what stands on one line, a name above all: line feeds and tabs too. */
export const visibleLine = (text: string): string => visible(text).replace(/[\n\t]/g, name)
