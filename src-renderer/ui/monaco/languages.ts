/** The few things about languages that Monaco's own definitions lack. Part of Monaco's chunk. */
import type { languages } from 'monaco-editor/editor'
import { language as javascript } from 'monaco-editor/languages/definitions/javascript/javascript'
import { language as typescript } from 'monaco-editor/languages/definitions/typescript/typescript'
import type { Monaco } from './monaco-api.ts'

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
