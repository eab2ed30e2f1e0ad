/**
 * Coloured code. The highlighter and each grammar load when first wanted; colours are the theme's `--syn-*` variables, so
 * that a change of theme costs nothing. No `innerHTML`, no WebAssembly, no eval.
 */
import type { HighlighterCore, LanguageInput, ThemedToken } from 'shiki/core'

export interface CodeToken {
  readonly text: string
  /** A CSS colour; null for plain text. */
  readonly color: string | null
  readonly italic: boolean
}

/** Longer code is shown plain: colouring it would hold up typing. */
export const MAX_HIGHLIGHT_CHARS = 100_000

const loaders: Record<string, () => LanguageInput> = {
  typescript: () => import('shiki/langs/typescript.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsonc: () => import('shiki/langs/jsonc.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  scss: () => import('shiki/langs/scss.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  vue: () => import('shiki/langs/vue.mjs'),
  svelte: () => import('shiki/langs/svelte.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  dart: () => import('shiki/langs/dart.mjs'),
  lua: () => import('shiki/langs/lua.mjs'),
  r: () => import('shiki/langs/r.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  graphql: () => import('shiki/langs/graphql.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  make: () => import('shiki/langs/make.mjs'),
  shellscript: () => import('shiki/langs/shellscript.mjs'),
  powershell: () => import('shiki/langs/powershell.mjs'),
}

const aliases: Record<string, string> = {
  ts: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  json5: 'jsonc',
  htm: 'html',
  svg: 'xml',
  md: 'markdown',
  mdx: 'markdown',
  py: 'python',
  rs: 'rust',
  kt: 'kotlin',
  h: 'c',
  cc: 'cpp',
  hpp: 'cpp',
  'c++': 'cpp',
  cs: 'csharp',
  'c#': 'csharp',
  rb: 'ruby',
  yml: 'yaml',
  sh: 'shellscript',
  bash: 'shellscript',
  zsh: 'shellscript',
  shell: 'shellscript',
  console: 'shellscript',
  ps1: 'powershell',
  patch: 'diff',
  dockerfile: 'docker',
  makefile: 'make',
}

/** The grammar for a fence's word or a file's ending; null when there is none. */
export function grammarOf(name: string): string | null {
  const lower = name.toLowerCase()
  const grammar = aliases[lower] ?? lower
  return Object.hasOwn(loaders, grammar) ? grammar : null
}

let starting: Promise<HighlighterCore> | null = null
let highlighter: HighlighterCore | null = null
const ready = new Map<string, Promise<void>>()
const loaded = new Set<string>()

async function start(): Promise<HighlighterCore> {
  const [core, engine] = await Promise.all([import('shiki/core'), import('shiki/engine/javascript')])
  highlighter = await core.createHighlighterCore({
    themes: [core.createCssVariablesTheme({ name: 'belay', variablePrefix: '--shiki-', fontStyle: true })],
    langs: [],
    engine: engine.createJavaScriptRegexEngine({ forgiving: true }),
  })
  return highlighter
}

/** Resolves when `tokenize` can colour this grammar. Failing to load leaves the code plain. */
export function loadGrammar(grammar: string): Promise<void> {
  const known = ready.get(grammar)
  if (known) return known
  const loading = (async () => {
    starting ??= start()
    const load = loaders[grammar]
    if (!load) return
    const [shiki, language] = await Promise.all([starting, load()])
    await shiki.loadLanguage(language)
    // Its patterns are made ready here, once: on a slow machine that alone would use up the time that a text has.
    shiki.codeToTokensBase('a', { lang: grammar, theme: 'belay', tokenizeTimeLimit: 0 })
    loaded.add(grammar)
  })().catch(() => {})
  ready.set(grammar, loading)
  return loading
}

/** Lines of tokens; null while the grammar is not loaded. Colouring stops 500 ms in, the rest stays plain. */
export function tokenize(code: string, grammar: string): CodeToken[][] | null {
  if (!highlighter || !loaded.has(grammar)) return null
  const lines = highlighter.codeToTokensBase(code, { lang: grammar, theme: 'belay', tokenizeTimeLimit: 500 })
  return lines.map(line => line.map(toToken))
}

const toToken = ({ content, color, fontStyle }: ThemedToken): CodeToken => ({
  text: content,
  color: color && color !== 'var(--shiki-foreground)' ? color : null,
  italic: ((fontStyle ?? 0) & 1) === 1,
})
