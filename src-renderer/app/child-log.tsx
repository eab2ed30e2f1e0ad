/** What a process of Belay's printed last, for a person who wants to know why it ends, in words that can be copied into a report. */
import { useEffect, useState } from 'react'
import { toFault } from '#contract/error'
import { host } from '../client/index.ts'
import { localize, useT } from '../ui/i18n.ts'
import { Button, CopyButton, Dialog } from '../ui/index.ts'
import './child-log.css'

export function ChildLog(props: { readonly child: 'sidecar' | 'pty-host'; readonly onClose: () => void }) {
  const { child, onClose } = props
  const t = useT()
  /** Null: not known yet. */
  const [text, setText] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let wanted = true
    host.host.childLines({ child }).then(
      ({ lines }) => wanted && setText(lines.join('\n')),
      thrown => wanted && setFault(toFault(thrown).message),
    )
    return () => {
      wanted = false
    }
  }, [child])
  return (
    <Dialog
      open
      onOpenChange={shown => !shown && onClose()}
      title={t(child === 'sidecar' ? 'app.childLog.core' : 'app.childLog.terminals')}
      width={760}
      footer={
        <>
          {text && <CopyButton text={text} />}
          <Button variant="main" onClick={onClose}>
            {t('app.done')}
          </Button>
        </>
      }
    >
      {fault && <p className="ui-field-error">{localize(fault)}</p>}
      {text === '' && <p className="dim">{t('app.childLog.none')}</p>}
      {text && <pre className="child-log">{text}</pre>}
    </Dialog>
  )
}
