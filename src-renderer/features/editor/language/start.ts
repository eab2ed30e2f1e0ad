/** Language features in the editor: loaded with the first text that is shown, so that a start pays nothing for them. */
import { t } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import type { Monaco } from '../../../ui/monaco/index.ts'
import { nameKeys } from '../../../ui/monaco/menu-keys.ts'
import { serveMonaco } from '../../../ui/monaco/services.ts'
import type { RunCommand } from '../../commands.ts'
import type { ShownText } from '../../feature.ts'
import { monacoActions } from '../code-commands.ts'
import { pathOfUri } from '../model-uri.ts'
import { holdText } from '../texts.ts'
import { registerCodeActionCommand } from './code-actions.ts'
import { followServersOf } from './follow-servers.ts'
import { followSymbols } from './follow-symbols.ts'
import { keepMarked } from './markers.ts'
import { openElsewhere } from './open-elsewhere.ts'
import { keepRegistered } from './register.ts'

let started = false

/** Until the returned function is called. */
export function showLanguage(shown: ShownText): () => void {
  start(shown.monaco, shown.run)
  keepKeysNamed(shown)
  followServersOf(shown.path)
  return followSymbols(shown)
}

function start(monaco: Monaco, run: RunCommand): void {
  if (started) return
  started = true
  serveMonaco({
    text(uri) {
      const path = pathOfUri(uri)
      return path && heldModel(path)
    },
    tell(severity, message) {
      if (severity === 'error') toast.error(t('editor.monacoFailed'), { detail: message, id: 'monaco' })
      else toast.info(message)
    },
  })
  openElsewhere(monaco, run)
  registerCodeActionCommand(monaco)
  keepRegistered(monaco)
  keepMarked(monaco)
}

let named = ''

/** As they are when a text is shown. */
function keepKeysNamed({ monaco, chordOf }: Pick<ShownText, 'monaco' | 'chordOf'>): void {
  const commands = Object.entries(monacoActions) as [keyof typeof monacoActions, readonly [string, unknown]][]
  const chords = new Map(commands.map(([id, [action]]) => [action, chordOf(id)]))
  const now = JSON.stringify([...chords])
  if (now === named) return
  named = now
  nameKeys(monaco, chords)
}

async function heldModel(path: NonNullable<ReturnType<typeof pathOfUri>>) {
  const { entry, release } = await holdText(path)
  // In a peek one goes on to the next definition.
  followServersOf(path)
  if (entry.bound) return { model: entry.bound.model, release }
  release()
  throw new Error(t('editor.noText'))
}
