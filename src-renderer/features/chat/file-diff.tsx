/** What one write changed: the diff out of its two blobs, and the ways on: open, side by side, take back. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { BlobId, SessionId } from '#contract/id'
import type { FileWrite } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { belay } from '../../client/index.ts'
import { useT } from '../../ui/i18n.ts'
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

export function FileDiff({ sessionId, item, write }: FileDiffProps) {
  const t = useT()
  const run = useCommand()
  const [texts, setTexts] = useState<Texts>(null)
  const kept = write.afterBlob !== null && (write.before === null || write.beforeBlob !== null)
  useEffect(() => {
    let current = true
    if (!kept) return
    Promise.all([blobText(sessionId, write.beforeBlob), blobText(sessionId, write.afterBlob)]).then(
      ([before, after]) => current && setTexts({ before, after }),
      thrown => current && setTexts({ fault: toFault(thrown) }),
    )
    return () => {
      current = false
    }
  }, [sessionId, write, kept])
  const takeBack = async () => {
    try {
      const { outcome } = await belay.session.revertWrite({ sessionId, itemId: item.id, path: write.path })
      if (outcome === 'stale') toast.error(t('chat.revertStale'), { detail: write.path.path })
      else toast.info(t(`chat.${outcome}`, { path: write.path.path }))
    } catch (thrown) {
      toast.error(t('chat.revertFailed'), { detail: toFault(thrown).message })
    }
  }
  if (!kept) return <div className="chat-note">{t('chat.diffNotKept')}</div>
  if (texts === null)
    return (
      <div className="chat-note">
        <Spinner label={t('chat.loadingDiff')} />
      </div>
    )
  if ('fault' in texts) return <div className="chat-note">{texts.fault.message}</div>
  const { before, after } = texts
  const title = write.path.path
  return (
    <>
      {write.by === 'mixed' && <div className="chat-note">{t('chat.mixed')}</div>}
      <DiffLines lines={linesBetween(before, after)} label={t('chat.diffOf', { path: title })} />
      <div className="chat-more">
        <Button variant="ghost" onClick={() => void run('editor.diff', { title, path: write.path, before, after })}>
          {t('chat.sideBySide')}
        </Button>
        <Button variant="ghost" onClick={() => void takeBack()}>
          {t('chat.takeBack')}
        </Button>
      </div>
    </>
  )
}
