/** What Monaco ships without types, as far as it is used here. */
declare module 'monaco-editor/languages/definitions/javascript/javascript' {
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage
}
declare module 'monaco-editor/languages/definitions/typescript/typescript' {
  export const language: import('monaco-editor/editor').languages.IMonarchLanguage
}

declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  export const StandaloneServices: { get<T>(id: { readonly type?: T }): T }
}
declare module 'monaco-editor/editor/browser/widget/diffEditor/diffProviderFactoryService.js' {
  type Model = import('monaco-editor/editor').editor.ITextModel
  export interface DocumentDiff {
    readonly identical: boolean
    readonly quitEarly: boolean
    readonly changes: readonly unknown[]
    readonly moves: readonly unknown[]
  }
  export interface DiffProvider {
    computeDiff(original: Model, modified: Model, ...more: unknown[]): Promise<DocumentDiff>
  }
  export const IDiffProviderFactoryService: { readonly type?: { createDiffProvider(options: unknown): DiffProvider } }
}
declare module 'monaco-editor/editor/common/core/ranges/lineRange.js' {
  /** From 1; the end is not in it. */
  export class LineRange {
    constructor(from: number, to: number)
  }
}
declare module 'monaco-editor/editor/common/diff/rangeMapping.js' {
  type Range = import('monaco-editor/editor').IRange
  export class RangeMapping {
    constructor(original: Range, modified: Range)
    readonly originalRange: Range
    readonly modifiedRange: Range
  }
  export class DetailedLineRangeMapping {
    constructor(original: unknown, modified: unknown, inner: readonly RangeMapping[] | undefined)
    readonly innerChanges: readonly RangeMapping[] | undefined
  }
}
declare module 'monaco-editor/editor/common/diff/linesDiffComputers.js' {
  import type { DetailedLineRangeMapping } from 'monaco-editor/editor/common/diff/rangeMapping.js'
  export const linesDiffComputers: {
    getDefault(): {
      computeDiff(
        before: readonly string[],
        after: readonly string[],
        options: { ignoreTrimWhitespace: boolean; maxComputationTimeMs: number; computeMoves: boolean },
      ): { readonly changes: readonly DetailedLineRangeMapping[] }
    }
  }
}
