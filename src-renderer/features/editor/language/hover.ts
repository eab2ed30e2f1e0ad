/** What a thing is, beside the pointer. */
import type { languages } from 'monaco-editor/editor'
import { belay } from '../../../client/index.ts'
import { ask } from './ask.ts'
import { toRange, toWirePosition } from './position.ts'
import { toMarkdown } from './words.ts'

export const hoverProvider: languages.HoverProvider = {
  async provideHover(model, position, token) {
    const found = await ask({ model, feature: 'hover', token }, (about, options) =>
      belay.language.hover({ ...about, position: toWirePosition(position) }, options),
    )
    if (!found || found.parts.length === 0) return null
    return { contents: found.parts.map(toMarkdown), ...(found.range ? { range: toRange(found.range) } : {}) }
  },
}
