/** Simplified Chinese of what the core says: loaded when main shows some of it in that language. */
import { createLocalize } from '#contract/localize'
import words from '../resources/core-words/zh-CN.json' with { type: 'json' }

export const localizeZhCn = createLocalize(words)
