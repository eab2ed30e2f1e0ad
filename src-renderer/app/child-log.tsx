/** What a process of Belay's printed last, for a person who wants to know why it ends, in words that can be copied into a report. */
import { useEffect, useState } from 'react'
import { host } from '../client/index.ts'
import { useT } from '../ui/i18n.ts'
import { Button, Dialog } from '../ui/index.ts'
import './child-log.css'

export function ChildLog(props: { readonly child: 'sidecar' | 'pty-host'; readonly onClose: () => void }) {
  const { child, onClose } = props
  const t = useT()
  const [lines, setLines] = useState<readonly string[]>([])
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    let wanted = true
    void host.host
      .childLines({ child })
      .then(said => wanted && setLines(said.lines))
      .catch(() => {})
    return () => {
      wanted = false
    }
  }, [child])
  const copy = async () => {
    await navigator.clipboard.writeText(lines.join('\n'))
    setCopied(true)
  }
  return (
    <Dialog
      open
      onOpenChange={shown => !shown && onClose()}
      title={t(child === 'sidecar' ? 'app.childLog.core' : 'app.childLog.terminals')}
      width={760}
      footer={
        <>
          <Button variant="ghost" onClick={() => void copy()}>
            {t(copied ? 'app.childLog.copied' : 'app.childLog.copy')}
          </Button>
          <Button variant="main" onClick={onClose}>
            {t('app.done')}
          </Button>
        </>
      }
    >
      {lines.length === 0 ? (
        <p className="dim">{t('app.childLog.none')}</p>
      ) : (
        <pre className="child-log">{lines.join('\n')}</pre>
      )}
    </Dialog>
  )
}
