/**
 * Words. Every visible string is `t('area.key')` from resources/locales/<language>/<area>.json; a missing key falls back to
 * English, then to the key itself. English is loaded with the window, so that nothing waits for words and nothing suspends;
 * another language before the window is drawn; words of pages that open later come with the page (`withWords`).
 */
import i18next from 'i18next'
import { useCallback, useSyncExternalStore } from 'react'
import { type CoreWords, createLocalize, type Localize } from '#contract/localize'
import { type Entries, wordsOf } from './words.ts'

export const languages = ['en', 'zh-CN'] as const
export type Language = (typeof languages)[number]
export type TextParams = Record<string, string | number>
/** `params.count` chooses the plural (`key_one`, `key_other`). */
export type Translate = (key: string, params?: TextParams) => string

const english = wordsOf(
  import.meta.glob<Entries>(
    [
      '../../resources/locales/en/*.json',
      '!../../resources/locales/en/{agents,jail,memory,record,recover,rules,servers,source}.json',
    ],
    { eager: true, import: 'default' },
  ),
)
const others: Record<Exclude<Language, 'en'>, () => Promise<{ words: Entries; core: CoreWords }>> = {
  'zh-CN': () => import('./words-zh-cn.ts'),
}
/** Areas that only pages use which open later. */
const laterFiles = import.meta.glob<Entries>(
  '../../resources/locales/*/{agents,jail,memory,record,recover,rules,servers,source}.json',
  {
    import: 'default',
  },
)

const localizers = new Map<Language, Localize>()

/** Languages of which the words are there, and late areas that they have. */
const here = new Set<Language>(['en'])
const areas = new Set<string>()

async function addArea(language: Language, area: string): Promise<void> {
  const path = `../../resources/locales/${language}/${area}.json`
  add(language, wordsOf({ [path]: (await laterFiles[path]?.()) ?? {} }))
}
const add = (language: Language, words: Entries) => i18n.addResourceBundle(language, 'translation', words, true, true)

/** For what is loaded late: the module when its words are there too. Rejects when either cannot be had. */
export async function withWords<M>(area: string, module: Promise<M>): Promise<M> {
  areas.add(area)
  await Promise.all([...here].map(language => addArea(language, area)))
  return module
}

async function bring(language: Language): Promise<void> {
  if (language === 'en' || here.has(language)) return
  const { words, core } = await others[language]()
  add(language, words)
  localizers.set(language, createLocalize(core))
  here.add(language)
  await Promise.all([...areas].map(area => addArea(language, area)))
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
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: english } },
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
})

/** For code outside components. Components use `useT`, which re-renders when the language changes. */
export const t: Translate = (key, params) => i18n.t(key, params ?? {})
/** A sentence of the core, in the language of now. */
export const localize: Localize = said => localizers.get(currentLanguage())?.(said) ?? said
export const currentLanguage = (): Language => (i18n.language === 'zh-CN' ? 'zh-CN' : 'en')

/** The language asked for last: a slower answer for an earlier one is not it. */
let wanted: Language = 'en'

/** Switches every text on the page at once, when its words are there. Never rejects: where they cannot be had, all stays as it is. */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language
  if (!here.has(language)) await bring(language).catch(() => {})
  if (wanted !== language || !here.has(language)) return
  document.documentElement.lang = language
  if (i18n.language !== language) await i18n.changeLanguage(language)
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
