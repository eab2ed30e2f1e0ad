/** What the editor answers to about code: Monaco's own actions, which language servers fill. Where none can answer, that is said. */
import type { LanguageFeatures } from '#contract/language-editor'
import { currentPath } from '../../state/view/editor.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import type { CommandId } from '../commands.ts'
import type { CommandHandlers } from '../feature.ts'
import { editorAtHand } from './focus.ts'
import { servedNow } from './language/served.ts'
import { pathOfUri } from './model-uri.ts'
import { crumbsAsk, symbolAsk } from './symbol-ask.ts'

/** By our command: Monaco's name, and what a server must be able to do; null: Monaco can do something by itself. */
export const monacoActions = {
  'editor.goToDefinition': ['editor.action.revealDefinition', 'definition'],
  'editor.peekDefinition': ['editor.action.peekDefinition', 'definition'],
  'editor.goToTypeDefinition': ['editor.action.goToTypeDefinition', 'typeDefinition'],
  'editor.goToImplementation': ['editor.action.goToImplementation', 'implementation'],
  'editor.goToReferences': ['editor.action.goToReferences', 'references'],
  'editor.rename': ['editor.action.rename', 'rename'],
  'editor.quickFix': ['editor.action.quickFix', 'codeActions'],
  'editor.refactor': ['editor.action.refactor', 'codeActions'],
  'editor.organizeImports': ['editor.action.organizeImports', 'codeActions'],
  'editor.format': ['editor.action.formatDocument', 'format'],
  'editor.formatSelection': ['editor.action.formatSelection', 'formatRange'],
  'editor.hover': ['editor.action.showHover', null],
  'editor.suggest': ['editor.action.triggerSuggest', null],
  'editor.parameterHints': ['editor.action.triggerParameterHints', 'signature'],
  'editor.expandSelection': ['editor.action.smartSelect.expand', null],
  'editor.shrinkSelection': ['editor.action.smartSelect.shrink', null],
} as const satisfies Partial<Record<CommandId, readonly [string, keyof LanguageFeatures | null]>>

const run = (action: string, feature: keyof LanguageFeatures | null) => () => {
  const shown = editorAtHand()
  const model = shown?.getModel()
  if (!shown || !model) return
  const path = pathOfUri(model.uri)
  const served = path ? servedNow(path) : undefined
  if (feature && !served?.features[feature])
    return void toast.info(served?.note ?? t(served?.state === 'ready' ? 'editor.cannot' : 'editor.noLanguage'))
  shown.focus()
  shown.trigger('belay', action, null)
}

export const codeCommands: CommandHandlers = {
  ...(Object.fromEntries(
    Object.entries(monacoActions).map(([id, [action, feature]]) => [id, run(action, feature)]),
  ) as CommandHandlers),
  'editor.goToSymbol': () => symbolAsk.setState({ where: currentPath() ? 'file' : null }),
  'editor.workspaceSymbol': () => symbolAsk.setState({ where: 'workspace' }),
  'editor.crumbs': () => crumbsAsk.setState(({ at }) => ({ at: at + 1 })),
  'editor.outline': (_, run) => run('app.showPane', { pane: 'outline' }),
}
