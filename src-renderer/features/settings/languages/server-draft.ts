/** What stands in the form of a language server, and what of it is kept: empty fields are left out and mean what Belay knows. */
import { LanguageServerSetting } from '#contract/language'
import type { Translate } from '../../../ui/i18n.ts'

export interface ServerDraft {
  readonly id: string
  /** As one line: words with spaces stand in quotes. */
  readonly command: string
  /** `.zig .zon` */
  readonly extensions: string
  /** One a line. */
  readonly rootMarkers: string
  /** `NAME=value`, one a line. */
  readonly env: string
  /** JSON. */
  readonly initialization: string
  /** JSON: an object by section. */
  readonly settings: string
}

export type DraftField = keyof ServerDraft
export type ReadDraft =
  | { readonly ok: true; readonly entry: LanguageServerSetting }
  | { readonly ok: false; readonly field: DraftField; readonly message: string }

export function draftOf(id: string, entry: LanguageServerSetting | undefined): ServerDraft {
  return {
    id,
    command: (entry?.command ?? []).map(quoted).join(' '),
    extensions: (entry?.extensions ?? []).join(' '),
    rootMarkers: (entry?.rootMarkers ?? []).join('\n'),
    env: Object.entries(entry?.env ?? {})
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    initialization: jsonText(entry?.initialization),
    settings: jsonText(entry?.settings),
  }
}

/** `own`: Belay knows nothing of it, so it needs a command and endings. */
export function readDraft(
  draft: ServerDraft,
  { own, enabled }: { own: boolean; enabled: boolean },
  t: Translate,
): ReadDraft {
  const wrong = (field: DraftField, key: string): ReadDraft => ({ ok: false, field, message: t(`servers.${key}`) })
  const command = wordsIn(draft.command)
  const extensions = draft.extensions.split(/[\s,]+/).filter(Boolean)
  const rootMarkers = linesIn(draft.rootMarkers)
  const env = linesIn(draft.env).map((line): [string, string] => {
    const at = line.indexOf('=')
    return at < 0 ? ['', line] : [line.slice(0, at).trim(), line.slice(at + 1)]
  })
  const initialization = parsed(draft.initialization)
  const settings = parsed(draft.settings)
  if (!/^[\w.-]{1,60}$/.test(draft.id.trim())) return wrong('id', 'badId')
  if (command === null) return wrong('command', 'badQuotes')
  if (own && command.length === 0) return wrong('command', 'needsCommand')
  if (own && extensions.length === 0) return wrong('extensions', 'needsExtensions')
  if (env.some(([name]) => name === '')) return wrong('env', 'badEnv')
  if (!initialization.ok) return wrong('initialization', 'badJson')
  if (!settings.ok || (settings.value !== undefined && !isRecord(settings.value)))
    return wrong('settings', 'badSections')
  const read = LanguageServerSetting.safeParse({
    enabled,
    ...(command.length > 0 ? { command } : {}),
    ...(extensions.length > 0 ? { extensions } : {}),
    ...(rootMarkers.length > 0 ? { rootMarkers } : {}),
    ...(env.length > 0 ? { env: Object.fromEntries(env) } : {}),
    ...(initialization.value === undefined ? {} : { initialization: initialization.value }),
    ...(settings.value === undefined ? {} : { settings: settings.value }),
  })
  if (read.success) return { ok: true, entry: read.data }
  const [issue] = read.error.issues
  const field = issue?.path[0]
  return {
    ok: false,
    field: typeof field === 'string' && field in draft ? (field as DraftField) : 'command',
    message: issue?.message ?? t('settings.bad'),
  }
}

/** An entry that says nothing is none. */
export const isEmpty = (entry: LanguageServerSetting): boolean => entry.enabled && Object.keys(entry).length === 1

/** As a person writes a command; no shell reads it. Null where a quote is not closed. */
export function wordsIn(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string
    if (character === '\\' && quote !== "'" && /["'\\\s]/.test(line[at + 1] ?? '')) word = (word ?? '') + line[++at]
    else if (quote !== null) {
      if (character === quote) quote = null
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  if (quote !== null) return null
  return word === null ? words : [...words, word]
}

const quoted = (word: string): string => (/^[^\s"'\\]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`)

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

const jsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2))

function parsed(text: string): { ok: true; value: unknown } | { ok: false } {
  if (text.trim() === '') return { ok: true, value: undefined }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
