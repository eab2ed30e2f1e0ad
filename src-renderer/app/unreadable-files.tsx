/** Says which files of Belay's own could not be read and where they are kept, once for each in this browser. */
import { useEffect } from 'react'
import { host } from '../client/index.ts'
import { followUnreadable } from '../client/settings-pump.ts'
import { machine } from '../state/view/machine.ts'
import { useT } from '../ui/i18n.ts'
import { toast } from '../ui/index.ts'

const SEEN_KEY = 'belay.unreadable'
const MOST_SEEN = 100

export function UnreadableFiles() {
  const t = useT()
  useEffect(
    () =>
      followUnreadable(files => {
        for (const { file, kept } of files) {
          if (seen().includes(kept)) continue
          const show = { label: t('explorer.menu.reveal'), onSelect: () => void host.host.reveal({ absolute: kept }) }
          toast.error(t(kept === file ? 'app.unreadableLeft' : 'app.unreadable', { file, kept }), {
            id: kept,
            onClosed: () => remember(kept),
            ...(machine.getState().capabilities?.reveal ? { action: show } : {}),
          })
        }
      }),
    [t],
  )
  return null
}

/** One that is left where it is may be mended and break again: then it is said again. */
function remember(kept: string): void {
  if (!/\.unreadable-\d/.test(kept)) return
  try {
    localStorage.setItem(SEEN_KEY, JSON.stringify([...seen(), kept].slice(-MOST_SEEN)))
  } catch {
    // A browser that keeps nothing: it is said again at the next start.
  }
}

function seen(): readonly string[] {
  try {
    const known: unknown = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '[]')
    return Array.isArray(known) ? known : []
  } catch {
    return []
  }
}
