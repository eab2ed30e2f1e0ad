/** What the editor answers to about code: Monaco's own actions, which language servers fill. Where none can answer, that is said. */
import { currentPath } from '../../state/view/editor.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import type { CommandId } from '../commands.ts'
import type { CommandHandlers } from '../feature.ts'
import { runWhereFocused } from './focus.ts'
import { servedNow } from './language/served.ts'
import { crumbsAsk, symbolAsk } from './symbol-ask.ts'

const actions = {
  'editor.goToDefinition': 'editor.action.revealDefinition',
  'editor.peekDefinition': 'editor.action.peekDefinition',
  'editor.goToTypeDefinition': 'editor.action.goToTypeDefinition',
  'editor.goToImplementation': 'editor.action.goToImplementation',
  'editor.goToReferences': 'editor.action.goToReferences',
  'editor.rename': 'editor.action.rename',
  'editor.quickFix': 'editor.action.quickFix',
  'editor.refactor': 'editor.action.refactor',
  'editor.organizeImports': 'editor.action.organizeImports',
  'editor.format': 'editor.action.formatDocument',
  'editor.formatSelection': 'editor.action.formatSelection',
  'editor.hover': 'editor.action.showHover',
  'editor.suggest': 'editor.action.triggerSuggest',
  'editor.parameterHints': 'editor.action.triggerParameterHints',
  'editor.expandSelection': 'editor.action.smartSelect.expand',
  'editor.shrinkSelection': 'editor.action.smartSelect.shrink',
} as const satisfies Partial<Record<CommandId, string>>

const run = (action: string) => () => {
  if (runWhereFocused(action)) return
  const path = currentPath()
  toast.info((path && servedNow(path)?.note) ?? t(path && servedNow(path) ? 'editor.notHere' : 'editor.noLanguage'))
}

export const codeCommands: CommandHandlers = {
  ...(Object.fromEntries(Object.entries(actions).map(([id, action]) => [id, run(action)])) as CommandHandlers),
  'editor.goToSymbol': () => symbolAsk.setState({ where: currentPath() ? 'file' : null }),
  'editor.workspaceSymbol': () => symbolAsk.setState({ where: 'workspace' }),
  'editor.crumbs': () => crumbsAsk.setState(({ at }) => ({ at: at + 1 })),
  'editor.outline': (_, run) => run('app.showPane', { pane: 'outline' }),
}
