/** Tells the desktop's menu bar what it shows: in the person's language, with the keys in force, and what is possible and on now. */
import { useEffect, useMemo } from 'react'
import { host } from '../../client/index.ts'
import { useBindings } from '../../features/settings/keymap.ts'
import { activityMirror } from '../../state/mirror/activity.ts'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useSetting } from '../../state/mirror/settings.ts'
import { layout } from '../../state/view/layout.ts'
import { machine } from '../../state/view/machine.ts'
import { useSessionId } from '../../state/view/session.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { type MenuStates, menuTemplate } from './template.ts'

/** Renders nothing; in a browser it does nothing. */
export function NativeMenu() {
  const t = useT()
  const bindings = useBindings()
  const capabilities = machine(state => state.capabilities)
  const states = useMenuStates()
  const recent = activityMirror(activity => activity.recent)
  useEffect(() => {
    if (capabilities?.kind !== 'desktop') return
    const mac = capabilities.platform === 'darwin'
    host.host
      .setMenu(menuTemplate({ t, bindings, mac, states, recent: recent.filter(({ exists }) => exists) }))
      .catch(() => {})
  }, [capabilities, t, bindings, states, recent])
  return null
}

function useMenuStates(): MenuStates {
  const side = layout.use(now => now.side)
  const bottom = layout.use(now => now.bottom)
  const agent = layout.use(now => now.agent)
  const swapped = layout.use(now => now.swapped)
  const wraps = useSetting('editor.wordWrap')
  const workspace = useWorkspace()
  const [open, trusted] = [workspace !== null, workspace?.trusted === true]
  const running = useSessionFact(useSessionId(), 'running') !== null
  return useMemo(
    () => ({
      'app.toggleSide': { checked: side },
      'app.toggleBottom': { checked: bottom },
      'app.toggleAgent': { checked: agent },
      'app.swapSides': { checked: swapped },
      'editor.toggleWrap': { checked: wraps },
      'app.openFile': { enabled: open },
      'app.addFolder': { enabled: open },
      'app.folders': { enabled: open },
      'app.closeFolder': { enabled: open },
      'app.trust': { enabled: open && !trusted },
      'app.untrust': { enabled: trusted },
      'agent.stop': { enabled: running },
    }),
    [side, bottom, agent, swapped, wraps, open, trusted, running],
  )
}
