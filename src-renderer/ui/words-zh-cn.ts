/** Simplified Chinese: fetched by windows that speak it. */
import { type Entries, wordsOf } from './words.ts'

export const words = wordsOf(
  import.meta.glob<Entries>(
    [
      '../../resources/locales/zh-CN/*.json',
      '!../../resources/locales/zh-CN/{agents,jail,memory,record,recover,rules,servers,source}.json',
    ],
    { eager: true, import: 'default' },
  ),
)
