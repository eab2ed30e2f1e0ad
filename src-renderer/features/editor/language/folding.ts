/** What folds, and what a selection grows to. */
import type { IEvent, languages } from 'monaco-editor/editor'
import { belay } from '../../../client/index.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { ask } from './ask.ts'
import { toRange, toWirePosition } from './position.ts'

export const foldingProvider = (
  { languages: { FoldingRangeKind } }: Monaco,
  onDidChange: IEvent<languages.FoldingRangeProvider>,
): languages.FoldingRangeProvider => ({
  onDidChange,
  async provideFoldingRanges(model, _context, token) {
    const found = await ask({ model, feature: 'folding', token }, (about, options) =>
      belay.language.folding(about, options),
    )
    const kinds = {
      comment: FoldingRangeKind.Comment,
      imports: FoldingRangeKind.Imports,
      region: FoldingRangeKind.Region,
    }
    return found?.ranges.map(({ startLine, endLine, kind }) => ({
      start: startLine + 1,
      end: endLine + 1,
      ...(kind ? { kind: kinds[kind] } : {}),
    }))
  },
})

/** The wire's bound. */
const MOST_POSITIONS = 100

export const selectionRangeProvider: languages.SelectionRangeProvider = {
  async provideSelectionRanges(model, positions, token) {
    const found = await ask({ model, feature: 'selectionRanges', token }, (about, options) =>
      belay.language.selectionRanges(
        { ...about, positions: positions.slice(0, MOST_POSITIONS).map(toWirePosition) },
        options,
      ),
    )
    return found?.ranges.map(ranges => ranges.map(range => ({ range: toRange(range) })))
  },
}
