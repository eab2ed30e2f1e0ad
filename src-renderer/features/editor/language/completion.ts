/** Completion: what a server offers, as Monaco's list; details and imports come when an offer is looked at. */
import type { IRange, languages } from 'monaco-editor/editor'
import type { Completion, CompletionList } from '#contract/language-editor'
import { belay } from '../../../client/index.ts'
import { workspaceView } from '../../../state/view/workspace.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { ask } from './ask.ts'
import { toEdits } from './edits.ts'
import { toRange, toWirePosition } from './position.ts'
import { toMarkdown } from './words.ts'

interface Origin {
  readonly listId: string
  readonly index: number
}

export function completionProvider(
  monaco: Monaco,
  triggerCharacters: readonly string[],
): languages.CompletionItemProvider {
  const origins = new WeakMap<languages.CompletionItem, Origin>()
  const { TriggerCharacter, TriggerForIncompleteCompletions } = monaco.languages.CompletionTriggerKind
  return {
    triggerCharacters: [...triggerCharacters],
    async provideCompletionItems(model, position, { triggerKind, triggerCharacter }, token) {
      const trigger =
        triggerKind === TriggerCharacter
          ? 'character'
          : triggerKind === TriggerForIncompleteCompletions
            ? 'incomplete'
            : 'invoked'
      const before = model.getVersionId()
      const list = await ask({ model, feature: 'completion', token, whileTyping: true }, async (about, options) => {
        const asked = { ...about, position: toWirePosition(position) }
        // Who types on no longer asks what may follow that character, but what the word may become.
        const movedOn = () => trigger === 'character' && model.getVersionId() !== before
        if (movedOn()) return belay.language.completion({ ...asked, trigger: 'invoked' }, options)
        const character = triggerCharacter ? { character: triggerCharacter } : {}
        const found = await belay.language.completion({ ...asked, trigger, ...character }, options)
        const nothing = 'items' in found && found.items.length === 0
        return nothing && movedOn() ? { stale: true } : found
      })
      if (!list) return null
      const word = model.getWordUntilPosition(position)
      const after = model.getWordAtPosition(position)?.endColumn ?? position.column
      const at = (endColumn: number): IRange => ({
        startLineNumber: position.lineNumber,
        startColumn: word.startColumn,
        endLineNumber: position.lineNumber,
        endColumn,
      })
      const around = { insert: at(position.column), replace: at(Math.max(after, position.column)) }
      const suggestions = list.items.map(item => {
        const suggestion = toSuggestion(monaco, item, list, around)
        origins.set(suggestion, { listId: list.listId, index: item.index })
        return suggestion
      })
      return { suggestions, incomplete: list.incomplete }
    },
    async resolveCompletionItem(item, token) {
      const origin = origins.get(item)
      const { workspace } = workspaceView.getState()
      if (!origin || !workspace) return item
      const controller = new AbortController()
      const listening = token.onCancellationRequested(() => controller.abort())
      try {
        const more = await belay.language.resolveCompletion(
          { workspaceId: workspace.workspaceId, ...origin },
          { signal: controller.signal },
        )
        return Object.assign(item, detailsOf(more))
      } catch {
        return item
      } finally {
        listening.dispose()
      }
    },
  }
}

const detailsOf = ({
  detail,
  documentation,
  additionalEdits,
}: Pick<Completion, 'detail' | 'documentation' | 'additionalEdits'>): Partial<languages.CompletionItem> => ({
  ...(detail === undefined ? {} : { detail }),
  ...(documentation ? { documentation: toMarkdown(documentation) } : {}),
  ...(additionalEdits ? { additionalTextEdits: toEdits(additionalEdits) } : {}),
})

/** `around`: the word at the caret, for what comes without ranges of its own. Exported for its test. */
export function toSuggestion(
  monaco: Pick<Monaco, 'languages'>,
  item: Completion,
  list: Pick<CompletionList, 'ranges' | 'commitCharacters'>,
  around: languages.CompletionItemRanges,
): languages.CompletionItem {
  const { CompletionItemInsertTextRule: Rule, CompletionItemTag } = monaco.languages
  const ranges = item.ranges === undefined ? list.ranges : item.ranges
  const rules = (item.snippet ? Rule.InsertAsSnippet : 0) | (item.adjustIndent ? 0 : Rule.KeepWhitespace)
  const { labelDetail, labelDescription } = item
  return {
    label:
      labelDetail || labelDescription
        ? {
            label: item.label,
            ...(labelDetail ? { detail: labelDetail } : {}),
            ...(labelDescription ? { description: labelDescription } : {}),
          }
        : item.label,
    kind: kindOf(monaco, item.kind),
    insertText: item.insertText ?? item.label,
    insertTextRules: rules,
    range: ranges ? { insert: toRange(ranges.insert), replace: toRange(ranges.replace) } : around,
    commitCharacters: item.commitCharacters ?? list.commitCharacters,
    ...(item.sortText === undefined ? {} : { sortText: item.sortText }),
    ...(item.filterText === undefined ? {} : { filterText: item.filterText }),
    ...(item.preselect ? { preselect: true } : {}),
    ...(item.deprecated ? { tags: [CompletionItemTag.Deprecated] } : {}),
    ...(item.asksAgain ? { command: { id: 'editor.action.triggerSuggest', title: '' } } : {}),
    ...detailsOf(item),
  }
}

/** The protocol's kinds, from 1, by Monaco's names. */
const kinds = [
  ...(['Text', 'Method', 'Function', 'Constructor', 'Field', 'Variable', 'Class', 'Interface', 'Module'] as const),
  ...(['Property', 'Unit', 'Value', 'Enum', 'Keyword', 'Snippet', 'Color', 'File', 'Reference', 'Folder'] as const),
  ...(['EnumMember', 'Constant', 'Struct', 'Event', 'Operator', 'TypeParameter'] as const),
]
const kindOf = ({ languages }: Pick<Monaco, 'languages'>, kind: number | undefined): languages.CompletionItemKind =>
  languages.CompletionItemKind[kinds[(kind ?? 1) - 1] ?? 'Text']
