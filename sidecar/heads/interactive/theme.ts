/** Colours and marks of the terminal face: the sixteen of the terminal's own scheme, so that it reads on light and dark alike. */
import { styleText } from 'node:util'
import type { EditorTheme, MarkdownTheme, SelectListTheme } from '@earendil-works/pi-tui'

type Paint = (text: string) => string

export interface Theme {
  readonly dim: Paint
  readonly bold: Paint
  readonly accent: Paint
  readonly good: Paint
  readonly warn: Paint
  readonly bad: Paint
  readonly markdown: MarkdownTheme
  readonly editor: EditorTheme
  readonly list: SelectListTheme
}

/** `colours: false`: every mark is a letter, none a colour. */
export function themeOf(colours: boolean): Theme {
  const paint =
    (...formats: Parameters<typeof styleText>[0][]): Paint =>
    text =>
      colours ? formats.reduce<string>((all, format) => styleText(format, all, { validateStream: false }), text) : text
  const [dim, bold, accent] = [paint('dim'), paint('bold'), paint('cyan')]
  const [good, warn, bad] = [paint('green'), paint('yellow'), paint('red')]
  const list: SelectListTheme = {
    selectedPrefix: accent,
    selectedText: paint('bold', 'cyan'),
    description: dim,
    scrollInfo: dim,
    noMatch: dim,
  }
  return {
    ...{ dim, bold, accent, good, warn, bad, list },
    markdown: {
      heading: paint('bold', 'cyan'),
      link: paint('underline'),
      linkUrl: dim,
      code: accent,
      codeBlock: text => text,
      codeBlockBorder: dim,
      quote: paint('italic'),
      quoteBorder: dim,
      hr: dim,
      listBullet: accent,
      bold,
      italic: paint('italic'),
      strikethrough: paint('strikethrough'),
      underline: paint('underline'),
      codeBlockIndent: '  ',
    },
    editor: { borderColor: dim, selectList: list },
  }
}
