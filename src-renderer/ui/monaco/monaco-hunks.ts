/** Makes Monaco's diff editors ask `hunks.ts` first. Inside a hunk Monaco still finds the words that differ. */

import { type editor, type IRange, Range } from 'monaco-editor/editor'
import {
  type DocumentDiff,
  IDiffProviderFactoryService,
} from 'monaco-editor/editor/browser/widget/diffEditor/diffProviderFactoryService.js'
import { LineRange } from 'monaco-editor/editor/common/core/ranges/lineRange.js'
import { linesDiffComputers } from 'monaco-editor/editor/common/diff/linesDiffComputers.js'
import { DetailedLineRangeMapping, RangeMapping } from 'monaco-editor/editor/common/diff/rangeMapping.js'
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js'
import { type Hunk, hunksBetween } from './hunks.ts'

/** Lines of one side above which words are not looked for. */
const MOST_LINES = 400
const MOST_MS = 50

/** Once, after Monaco's services have started. */
export function provideHunks(): void {
  const factory = StandaloneServices.get(IDiffProviderFactoryService)
  const usual = factory.createDiffProvider.bind(factory)
  factory.createDiffProvider = options => {
    const provider = usual(options)
    const compute = provider.computeDiff.bind(provider)
    provider.computeDiff = async (original, modified, ...more) => {
      const hunks = hunksBetween(original, modified)
      return hunks ? diffOf(original, modified, hunks) : compute(original, modified, ...more)
    }
    return provider
  }
}

function diffOf(original: editor.ITextModel, modified: editor.ITextModel, hunks: readonly Hunk[]): DocumentDiff {
  const changes = hunks.map(({ base, now }) => {
    const inner = wordsIn(linesOf(original, base), linesOf(modified, now))
    return new DetailedLineRangeMapping(
      new LineRange(base.from + 1, base.to + 1),
      new LineRange(now.from + 1, now.to + 1),
      inner?.map(each => new RangeMapping(below(each.originalRange, base.from), below(each.modifiedRange, now.from))),
    )
  })
  return { identical: changes.length === 0, quitEarly: false, changes, moves: [] }
}

const linesOf = (model: editor.ITextModel, { from, to }: Hunk['now']): string[] =>
  Array.from({ length: to - from }, (_, i) => model.getLineContent(from + 1 + i))

function wordsIn(before: readonly string[], after: readonly string[]): readonly RangeMapping[] | undefined {
  if (before.length === 0 || after.length === 0 || Math.max(before.length, after.length) > MOST_LINES) return undefined
  const options = { ignoreTrimWhitespace: false, maxComputationTimeMs: MOST_MS, computeMoves: false }
  const { changes } = linesDiffComputers.getDefault().computeDiff(before, after, options)
  const inner = changes.flatMap(change => change.innerChanges ?? [])
  return inner.length > 0 ? inner : undefined
}

const below = (at: IRange, lines: number): Range =>
  new Range(at.startLineNumber + lines, at.startColumn, at.endLineNumber + lines, at.endColumn)
