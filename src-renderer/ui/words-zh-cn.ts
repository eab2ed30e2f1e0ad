/** Simplified Chinese: fetched by windows that speak it. */
import core from '../../resources/core-words/zh-CN.json' with { type: 'json' }
import { type Entries, wordsOf } from './words.ts'

export { core }

export const words = wordsOf(
  import.meta.glob<Entries>(
    [
      '../../resources/locales/zh-CN/*.json',
      '!../../resources/locales/zh-CN/{agents,jail,memory,record,recover,rules,servers,source}.json',
    ],
    { eager: true, import: 'default' },
  ),
)
