/** The lines of one file that a rewind would bring and take; of a kept one, how it differs from how it was. */
import { useEffect, useState } from 'react'
import { type Fault, toFault } from '#contract/error'
import type { RewindLine, RewindTarget } from '#contract/head'
import type { SessionId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Spinner } from '../../../ui/index.ts'
import { DiffLines } from '../diff-lines.tsx'
import { linesBetween } from '../patch-lines.ts'
import type { Fate } from './file-choices.ts'

interface RewindDiffProps {
  readonly sessionId: SessionId
  readonly to: RewindTarget
  readonly line: RewindLine
  readonly fate: Fate
}
type Texts = Awaited<ReturnType<typeof belay.head.previewFile>>

export function RewindDiff({ sessionId, to, line, fate }: RewindDiffProps) {
  const t = useT()
  const [texts, setTexts] = useState<Texts | { fault: Fault } | null>(null)
  const { path } = line
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    belay.head.previewFile({ sessionId, to, path }, { signal }).then(
      found => signal.aborted || setTexts(found),
      thrown => signal.aborted || setTexts({ fault: toFault(thrown) }),
    )
    return () => abort.abort()
  }, [sessionId, to, path])
  if (!texts)
    return (
      <div className="chat-note">
        <Spinner label={t('chat.loadingDiff')} />
      </div>
    )
  if ('fault' in texts) return <div className="chat-note">{localize(texts.fault.message)}</div>
  const after = fate === 'merge' ? texts.merged : texts.back
  // Where nothing stands there is nothing of it: an empty text. Null beside a state is content that is no text.
  const isText = (text: string | null, state: RewindLine['was']) => text !== null || state === null
  if (!isText(texts.now, line.now) || (fate !== 'merge' && !isText(after, line.was)))
    return <div className="chat-note">{t('chat.binaryChanged')}</div>
  const lines = linesBetween(texts.now ?? '', after ?? '')
  if (lines.length === 0) return <div className="chat-note">{t('recover.sameText')}</div>
  return (
    <>
      {(fate === 'keep' || fate === 'leave') && <div className="chat-note">{t('recover.wouldBe')}</div>}
      <DiffLines lines={lines} label={t('chat.diffOf', { path: path.path })} />
    </>
  )
}
