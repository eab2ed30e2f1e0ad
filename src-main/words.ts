/** The few words that main itself says, in the system's language. Everything else is said by windows. */
import { app } from 'electron'
import en from '../resources/locales/en/desktop.json' with { type: 'json' }
import zhCn from '../resources/locales/zh-CN/desktop.json' with { type: 'json' }

export type Word = keyof typeof en

export const say = (word: Word): string => (app.getLocale().startsWith('zh') ? zhCn : en)[word]
