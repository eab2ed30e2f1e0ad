/** Names of tags that are typed in together, and what leads out of a text. */
import type { languages } from 'monaco-editor/editor'
import { belay } from '../../../client/index.ts'
import { ask } from './ask.ts'
import { toRange, toWirePosition } from './position.ts'

export const linkedEditingProvider: languages.LinkedEditingRangeProvider = {
  async provideLinkedEditingRanges(model, position, token) {
    const found = await ask({ model, feature: 'linkedEditing', token }, (about, options) =>
      belay.language.linkedEditing({ ...about, position: toWirePosition(position) }, options),
    )
    if (!found || found.ranges.length === 0) return null
    const wordPattern = patternOf(found.wordPattern)
    return { ranges: found.ranges.map(toRange), ...(wordPattern ? { wordPattern } : {}) }
  },
}

/** Without one the language's own words count. */
function patternOf(source: string | null): RegExp | null {
  try {
    return source === null ? null : new RegExp(source)
  } catch {
    return null
  }
}

/** Opened by open-elsewhere.ts. */
export const linkProvider: languages.LinkProvider = {
  async provideLinks(model, token) {
    const found = await ask({ model, feature: 'links', token }, (about, options) =>
      belay.language.links(about, options),
    )
    const links = found?.links.map(({ range, target, tooltip }) => ({
      range: toRange(range),
      url: target,
      ...(tooltip === null ? {} : { tooltip }),
    }))
    return { links: links ?? [] }
  },
}
