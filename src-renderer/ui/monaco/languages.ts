/** Which language a file is, and the few things about languages that Monaco's own definitions lack. */
import type { languages } from 'monaco-editor/editor'
import { language as javascript } from 'monaco-editor/languages/definitions/javascript/javascript'
import { language as typescript } from 'monaco-editor/languages/definitions/typescript/typescript'
import type { Monaco } from './load.ts'

const byEnding: Record<string, string> = {
  toml: 'ini',
  vue: 'html',
  svelte: 'html',
  astro: 'html',
  svg: 'xml',
  env: 'shell',
  zsh: 'shell',
  patch: 'diff',
  diff: 'diff',
}
const byName: Record<string, string> = {
  'package-lock.json': 'json',
  '.env': 'shell',
  '.gitignore': 'shell',
  '.dockerignore': 'shell',
  '.npmrc': 'ini',
  '.editorconfig': 'ini',
  Dockerfile: 'dockerfile',
  Containerfile: 'dockerfile',
  Gemfile: 'ruby',
  Rakefile: 'ruby',
}

/** `plaintext` where nothing is known. Looks at the name, then its endings from longest to shortest. */
export function languageOf(monaco: Monaco, fileName: string): string {
  const named = byName[fileName]
  if (named) return named
  const all = monaco.languages.getLanguages()
  const lower = fileName.toLowerCase()
  const parts = lower.split('.').slice(1)
  for (let i = 0; i < parts.length; i++) {
    const ending = parts.slice(i).join('.')
    const found = byEnding[ending] ?? all.find(each => each.extensions?.includes(`.${ending}`))?.id
    if (found) return found
  }
  return all.find(each => each.filenames?.some(name => name.toLowerCase() === lower))?.id ?? 'plaintext'
}

/** Its name for people. */
export const languageName = (monaco: Monaco, id: string): string =>
  monaco.languages.getLanguages().find(each => each.id === id)?.aliases?.[0] ?? id

export function registerOwnLanguages(monaco: Monaco): void {
  monaco.languages.register({
    id: 'json',
    extensions: ['.json', '.jsonc', '.json5', '.webmanifest', '.map', '.code-workspace'],
    filenames: ['.babelrc', '.eslintrc', '.prettierrc', '.swcrc'],
    aliases: ['JSON'],
  })
  monaco.languages.setLanguageConfiguration('json', jsonConfiguration)
  monaco.languages.setMonarchTokensProvider('json', json)
  monaco.languages.register({ id: 'diff', extensions: ['.diff', '.patch'], aliases: ['Diff'] })
  monaco.languages.setMonarchTokensProvider('diff', diff)
  for (const [id, language] of Object.entries({ typescript, javascript }))
    monaco.languages.registerTokensProviderFactory(id, { create: () => withCalls(language) })
}

/** A name before `(` is a function to the eye; Monaco's definition does not tell it from any other name. */
function withCalls(language: languages.IMonarchLanguage): languages.IMonarchLanguage {
  const { common = [], ...others } = language.tokenizer
  const call: languages.IMonarchLanguageRule = [
    /#?[a-z_$][\w$]*(?=\s*(?:<[\w\s,[\]|.]*>)?\()/,
    { cases: { '@keywords': 'keyword', '@default': 'function' } },
  ]
  return { ...language, tokenizer: { ...others, common: [call, ...common] } }
}

const jsonConfiguration: languages.LanguageConfiguration = {
  comments: { lineComment: '//', blockComment: ['/*', '*/'] },
  brackets: [
    ['{', '}'],
    ['[', ']'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}', notIn: ['string'] },
    { open: '[', close: ']', notIn: ['string'] },
    { open: '"', close: '"', notIn: ['string', 'comment'] },
  ],
}

const json: languages.IMonarchLanguage = {
  tokenizer: {
    root: [
      [/\s+/, ''],
      [/\/\/.*$/, 'comment'],
      [/\/\*/, 'comment', '@comment'],
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'string.key'],
      [/"/, 'string', '@string'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\]]/, '@brackets'],
      [/[,:]/, 'delimiter'],
    ],
    comment: [
      [/[^*]+/, 'comment'],
      [/\*\//, 'comment', '@pop'],
      [/\*/, 'comment'],
    ],
    string: [
      [/[^"\\]+/, 'string'],
      [/\\(?:u[0-9a-fA-F]{4}|.)/, 'string.escape'],
      [/"/, 'string', '@pop'],
      [/$/, 'string', '@pop'],
    ],
  },
}

const diff: languages.IMonarchLanguage = {
  tokenizer: {
    root: [
      [/^(?:diff|index|---|\+\+\+).*$/, 'comment'],
      [/^@@.*$/, 'function'],
      [/^\+.*$/, 'string'],
      [/^-.*$/, 'invalid'],
      [/.+/, ''],
    ],
  },
}
