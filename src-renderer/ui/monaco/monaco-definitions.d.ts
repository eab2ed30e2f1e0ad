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
declare module 'monaco-editor/base/common/uri.js' {
  export const URI: typeof import('monaco-editor/editor').Uri
}
declare module 'monaco-editor/base/browser/markdownRenderer.js' {
  export interface MarkdownOptions {
    readonly sanitizerConfig?: {
      readonly remoteImageIsAllowed?: (uri: import('monaco-editor/editor').Uri) => boolean
    }
  }
  export function renderMarkdown(
    markdown: import('monaco-editor/editor').IMarkdownString,
    options?: MarkdownOptions,
  ): { readonly element: HTMLElement; dispose(): void }
}
declare module 'monaco-editor/editor/common/model/textModel.js' {
  export function createTextBuffer(
    text: string,
    defaultEnd: number,
  ): { readonly textBuffer: { getLineContent(lineNumber: number): string } }
}
declare module 'monaco-editor/editor/common/services/resolverService.js' {
  export interface ModelReference {
    readonly object: unknown
    dispose(): void
  }
  export const ITextModelService: {
    readonly type?: { createModelReference(uri: import('monaco-editor/editor').Uri): Promise<ModelReference> }
  }
}
declare module 'monaco-editor/platform/dialogs/common/dialogs.js' {
  export interface Prompt {
    readonly buttons?: readonly { run(state: { checkboxChecked: boolean }): unknown }[]
  }
  export const IDialogService: { readonly type?: { prompt(prompt: Prompt): Promise<{ result: unknown }> } }
}
declare module 'monaco-editor/platform/notification/common/notification.js' {
  export interface Notice {
    readonly severity: number
    readonly message: string | Error
  }
  export const Severity: { readonly Info: number; readonly Warning: number; readonly Error: number }
  export class NoOpNotification {}
  export const INotificationService: { readonly type?: { notify(notice: Notice): NoOpNotification } }
}
declare module 'monaco-editor/platform/markdown/browser/markdownRenderer.js' {
  type Rendered = ReturnType<typeof import('monaco-editor/base/browser/markdownRenderer.js').renderMarkdown>
  export class MarkdownRendererService {
    constructor(opener: object)
    render(
      markdown: import('monaco-editor/editor').IMarkdownString,
      options?: import('monaco-editor/base/browser/markdownRenderer.js').MarkdownOptions,
      into?: HTMLElement,
    ): Rendered
  }
}
declare module 'monaco-editor/platform/undoRedo/common/undoRedo.js' {
  export const IUndoRedoService: {
    readonly type?: {
      pushElement(element: object): void
      getLastElement(uri: import('monaco-editor/editor').Uri): object | null
      undo(uri: import('monaco-editor/editor').Uri): Promise<void> | void
      redo(uri: import('monaco-editor/editor').Uri): Promise<void> | void
    }
  }
}
declare module 'monaco-editor/editor/common/model/editStack.js' {
  type Model = import('monaco-editor/editor').editor.ITextModel
  export class SingleModelEditStackElement {
    constructor(label: string, code: string, model: Model, before: null)
  }
  export class MultiModelEditStackElement {
    constructor(label: string, code: string, parts: readonly SingleModelEditStackElement[])
    close(): void
    undo(): void
    redo(): void
  }
}
declare module 'monaco-editor/editor/common/services/editorBaseApi.js' {
  export const KeyMod: typeof import('monaco-editor/editor').KeyMod
}
declare module 'monaco-editor/editor/common/standalone/standaloneEnums.js' {
  export const KeyCode: typeof import('monaco-editor/editor').KeyCode
  export const CompletionItemKind: typeof import('monaco-editor/editor').languages.CompletionItemKind
  export const CompletionItemTag: typeof import('monaco-editor/editor').languages.CompletionItemTag
  export const CompletionItemInsertTextRule: typeof import('monaco-editor/editor').languages.CompletionItemInsertTextRule
}
