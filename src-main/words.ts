/** The few words that main itself says, in the person's language. Everything else is said by windows. */
import { app } from 'electron'
import type { Language } from '#contract/window-settings'
import en from '../resources/locales/en/desktop.json' with { type: 'json' }
import zhCn from '../resources/locales/zh-CN/desktop.json' with { type: 'json' }

export type Word = keyof typeof en

let chosen: Language = 'system'

export function setLanguage(language: Language): void {
  chosen = language
}

/** `{{name}}` in the text is the value of that name. */
export function say(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  const language = chosen === 'system' ? app.getLocale() : chosen
  const text = (language.startsWith('zh') ? zhCn : en)[word]
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => `${values[name] ?? whole}`)
}
