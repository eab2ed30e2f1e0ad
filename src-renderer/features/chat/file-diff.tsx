/** What one write changed: the diff out of its two blobs, and the ways on: open, side by side, take back. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { BlobId, SessionId } from '#contract/id'
import type { FileWrite } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { belay } from '../../client/index.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Button, Spinner, toast } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { DiffLines } from './diff-lines.tsx'
import { linesBetween } from './patch-lines.ts'

interface FileDiffProps {
  readonly sessionId: SessionId
  readonly item: ToolItem
  readonly write: FileWrite
}
type Texts = { before: string; after: string } | { fault: Fault } | null

/** A blob of the write ledger whole: the sidecar keeps none above 2 MB of text. */
async function blobText(sessionId: SessionId, blobId: BlobId | null): Promise<string> {
  let text = ''
  let offset: number | null = blobId ? 0 : null
  while (blobId && offset !== null) {
    const part: { text: string; nextOffset: number | null } = await belay.session.blob({
      sessionId,
      blobId,
      offset,
      length: 1_000_000,
    })
    text += part.text
    offset = part.nextOffset
  }
  return text
}

const isKept = ({ before, beforeBlob, after, afterBlob }: FileWrite): boolean =>
  (before === null || beforeBlob !== null) && (after === null || afterBlob !== null)

const octal = (mode: number): string => mode.toString(8).padStart(3, '0')

export function FileDiff({ sessionId, item, write }: FileDiffProps) {
  const t = useT()
  const run = useCommand()
  const [texts, setTexts] = useState<Texts>(null)
  const { kind = 'text', mode } = write
  const isShown = kind === 'text' || kind === 'link'
  const onlyBits = write.before === write.after
  const kept = isKept(write)
  useEffect(() => {
    let current = true
    if (!kept || !isShown || onlyBits) return
    Promise.all([blobText(sessionId, write.beforeBlob), blobText(sessionId, write.afterBlob)]).then(
      ([before, after]) => current && setTexts({ before, after }),
      thrown => current && setTexts({ fault: toFault(thrown) }),
    )
    return () => {
      current = false
    }
  }, [sessionId, write, kept, isShown, onlyBits])
  const takeBack = async () => {
    try {
      const { outcome } = await belay.session.revertWrite({ sessionId, itemId: item.id, path: write.path })
      if (outcome === 'stale') toast.error(t('chat.revertStale'), { detail: write.path.path })
      else toast.info(t(`chat.${outcome}`, { path: write.path.path }))
    } catch (thrown) {
      toast.error(t('chat.revertFailed'), { detail: toFault(thrown).message })
    }
  }
  const bits = mode && mode.before !== null && mode.after !== null && (
    <div className="chat-note">{t('chat.bitsChanged', { before: octal(mode.before), after: octal(mode.after) })}</div>
  )
  const back = (
    <Button variant="ghost" onClick={() => void takeBack()}>
      {t('chat.takeBack')}
    </Button>
  )
  if (!kept) return <div className="chat-note">{t('chat.diffNotKept')}</div>
  if (!isShown || onlyBits)
    return (
      <>
        {bits || <div className="chat-note">{t('chat.binaryChanged')}</div>}
        <div className="chat-more">{back}</div>
      </>
    )
  if (texts === null)
    return (
      <div className="chat-note">
        <Spinner label={t('chat.loadingDiff')} />
      </div>
    )
  if ('fault' in texts) return <div className="chat-note">{localize(texts.fault.message)}</div>
  const { before, after } = texts
  const title = write.path.path
  return (
    <>
      {bits}
      {write.by === 'mixed' && <div className="chat-note">{t('chat.mixed')}</div>}
      <DiffLines lines={linesBetween(before, after)} label={t('chat.diffOf', { path: title })} />
      <div className="chat-more">
        <Button variant="ghost" onClick={() => void run('editor.diff', { title, path: write.path, before, after })}>
          {t('chat.sideBySide')}
        </Button>
        {back}
      </div>
    </>
  )
}
