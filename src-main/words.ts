/** What main shows outside of windows, in the person's language: a few words of its own, and sentences of the core. */
import { app } from 'electron'
import type { Language } from '#contract/window-settings'
import en from '../resources/locales/en/desktop.json' with { type: 'json' }
import zhCn from '../resources/locales/zh-CN/desktop.json' with { type: 'json' }

export type Word = keyof typeof en

let chosen: Language = 'system'

export function setLanguage(language: Language): void {
  chosen = language
}

const isChinese = (): boolean => (chosen === 'system' ? app.getLocale() : chosen).startsWith('zh')

/** `{{name}}` in the text is the value of that name. */
export function say(word: Word, values: Readonly<Record<string, string | number>> = {}): string {
  const text = (isChinese() ? zhCn : en)[word]
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => `${values[name] ?? whole}`)
}

/** A sentence of the core, or of a fault here: they are English, as in a terminal or a log. Never rejects. */
export async function localize(said: string): Promise<string> {
  if (!isChinese()) return said
  return import('./core-words-zh-cn.ts').then(({ localizeZhCn }) => localizeZhCn(said)).catch(() => said)
}
