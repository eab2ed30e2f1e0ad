/** Says which files of Belay's own could not be read and where they are kept: one after the other, once for each in this browser. */
import { FileWarning, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { UnreadableFile } from '#contract/settings'
import { host } from '../client/index.ts'
import { followUnreadable } from '../client/settings-pump.ts'
import { machine } from '../state/view/machine.ts'
import { useT } from '../ui/i18n.ts'
import { Button, IconButton } from '../ui/index.ts'

const SEEN_KEY = 'belay.unreadable'
const MOST_SEEN = 100

export function UnreadableBanner() {
  const t = useT()
  const [files, setFiles] = useState<readonly UnreadableFile[]>([])
  const mayReveal = machine(state => state.capabilities?.reveal)
  useEffect(
    () =>
      followUnreadable(found => {
        const fresh = found.filter(({ kept }) => !seen().includes(kept))
        setFiles(known => [...known.filter(each => fresh.every(({ kept }) => kept !== each.kept)), ...fresh])
      }),
    [],
  )
  const first = files[0]
  if (!first) return null
  const { file, kept } = first
  const putAway = () => {
    remember(kept)
    setFiles(known => known.filter(each => each !== first))
  }
  return (
    <section className="app-banner app-banner-ask" aria-label={t('app.unreadableTitle')}>
      <FileWarning size={15} />
      <span className="app-banner-text">
        {t(kept === file ? 'app.unreadableLeft' : 'app.unreadable', { file, kept })}
      </span>
      {mayReveal && <Button onClick={() => void host.host.reveal({ absolute: kept })}>{t('app.showInFolder')}</Button>}
      <IconButton label={t('app.putAway')} icon={X} size={14} onClick={putAway} />
    </section>
  )
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
