/** What a language server says, as Markdown for Monaco: without HTML, without commands, and what is no Markdown stays as it is. */
import type { IMarkdownString } from 'monaco-editor/editor'
import type { Words } from '#contract/language-editor'

/** Nothing in it is trusted: Monaco then renders no HTML and no command links. */
const untrusted = (value: string): IMarkdownString => ({ value, isTrusted: false, supportHtml: false })

export function toMarkdown(words: Words): IMarkdownString {
  if (words.kind === 'markdown') return untrusted(words.text)
  return untrusted(words.kind === 'code' ? codeBlock(words.text, words.language) : escaped(words.text))
}

/** In a fence that nothing in it can close. */
export function codeBlock(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^[\w+#.-]*$/.test(language) ? language : ''}\n${text}\n${fence}`
}

/** Every sign that Markdown could take for its own, each line a line. */
const escaped = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()#+\-!~<>&|.:=^$@"']/g, '\\$&')
    .replace(/^[ \t]+/gm, blanks => '&nbsp;'.repeat(blanks.length))
    .replace(/\r\n|\n|\r/g, '  \n')
