/**
 * Words. Every visible string is `t('area.key')` from resources/locales/<language>/<area>.json; a missing key falls back to
 * English, then to the key itself. Loaded with the window, so that nothing waits for words and nothing suspends; but those
 * of pages that open later come with the page (`withWords`).
 */
import i18next from 'i18next'
import { useCallback, useSyncExternalStore } from 'react'

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]
export type TextParams = Record<string, string | number>
/** `params.count` chooses the plural (`key_one`, `key_other`). */
export type Translate = (key: string, params?: TextParams) => string

type Entries = Record<string, string>
const files = import.meta.glob<Entries>(
  ['../../resources/locales/*/*.json', '!../../resources/locales/*/{agents,jail,record,rules,source}.json'],
  { eager: true, import: 'default' },
)
/** Areas that only pages use which open later. */
const laterFiles = import.meta.glob<Entries>('../../resources/locales/*/{agents,jail,record,rules,source}.json', {
  import: 'default',
})

const resources = Object.fromEntries(languages.map(language => [language, { translation: catalogue(language) }]))

function catalogue(language: Language): Record<string, string> {
  const words: Record<string, string> = {}
  for (const [path, entries] of Object.entries(files)) {
    const [folder, file] = path.split('/').slice(-2)
    if (folder !== language || !file) continue
    for (const [key, text] of Object.entries(entries)) words[`${file.replace(/\.json$/, '')}.${key}`] = text
  }
  return words
}

/** For what is loaded late: the module when its words are there too, in every language. Rejects when either cannot be had. */
export async function withWords<M>(area: string, module: Promise<M>): Promise<M> {
  const loading = languages.map(async language => {
    const entries = await laterFiles[`../../resources/locales/${language}/${area}.json`]?.()
    const words = Object.entries(entries ?? {}).map(([key, text]) => [`${area}.${key}`, text])
    i18n.addResourceBundle(language, 'translation', Object.fromEntries(words), true, true)
  })
  await Promise.all(loading)
  return module
}

/** The language a person's system asks for; English where we have none of theirs. */
export const systemLanguage = (): Language =>
  navigator.languages
    .map(tag => tag.toLowerCase())
    .find(tag => /^(zh|en)\b/.test(tag))
    ?.startsWith('zh')
    ? 'zh-CN'
    : 'en'

const i18n = i18next.createInstance()
void i18n.init({
  lng: systemLanguage(),
  fallbackLng: 'en',
  resources,
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
})

/** For code outside components. Components use `useT`, which re-renders when the language changes. */
export const t: Translate = (key, params) => i18n.t(key, params ?? {})
export const hasText = (key: string): boolean => i18n.exists(key)
export const currentLanguage = (): Language => (i18n.language === 'zh-CN' ? 'zh-CN' : 'en')

/** Switches every text on the page at once. */
export function setLanguage(language: Language): void {
  if (i18n.language !== language) void i18n.changeLanguage(language)
  document.documentElement.lang = language
}

const subscribe = (changed: () => void) => {
  i18n.on('languageChanged', changed)
  return () => i18n.off('languageChanged', changed)
}

const readLanguage = () => i18n.language

/** `t` whose identity changes with the language, so that memoised children see it. */
export function useT(): Translate {
  const language = useSyncExternalStore(subscribe, readLanguage, readLanguage)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new function per language is the point
  return useCallback((key, params) => t(key, params), [language])
}
