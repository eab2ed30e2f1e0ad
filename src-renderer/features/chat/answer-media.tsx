/** Images that the model made, kept beside the session and shown as blobs: whatever an SVG holds, it cannot run. */
import { useEffect, useState } from 'react'
import { toFault } from '#contract/error'
import type { BlobId, SessionId } from '#contract/id'
import type { Attachment } from '#contract/session-event'
import { belay } from '../../client/index.ts'
import { formatBytes } from '../../ui/format.ts'
import { localize, useT } from '../../ui/i18n.ts'

interface MediaProps {
  readonly sessionId: SessionId
  readonly media: readonly Attachment[]
}

export function AnswerMedia({ sessionId, media }: MediaProps) {
  return (
    <div className="chat-media">
      {media.map((each, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two equal images are told apart by their place alone, and never move
        <Medium key={`${place} ${each.blobId}`} sessionId={sessionId} medium={each} />
      ))}
    </div>
  )
}

function Medium({ sessionId, medium }: { readonly sessionId: SessionId; readonly medium: Attachment }) {
  const t = useT()
  const { kind, mediaType, name, bytes, blobId } = medium
  const [shown, setShown] = useState<{ url: string } | { fault: string } | null>(null)
  const isImage = kind === 'image' && blobId !== null
  useEffect(() => {
    if (!isImage || !blobId) return
    let gone = false
    let made: string | null = null
    load(sessionId, blobId, mediaType).then(
      url => {
        made = url
        if (gone) URL.revokeObjectURL(url)
        else setShown({ url })
      },
      thrown => !gone && setShown({ fault: localize(toFault(thrown).message) }),
    )
    return () => {
      gone = true
      if (made) URL.revokeObjectURL(made)
    }
  }, [sessionId, blobId, mediaType, isImage])
  if (shown && 'url' in shown) return <img src={shown.url} alt={t('chat.madeImage')} />
  return (
    <span className="chat-chip">
      {shown && 'fault' in shown ? shown.fault : name} <span className="chat-dim">{formatBytes(bytes)}</span>
    </span>
  )
}

async function load(sessionId: SessionId, blobId: BlobId, mediaType: string): Promise<string> {
  const { base64 } = await belay.session.blobBytes({ sessionId, blobId })
  const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  return URL.createObjectURL(new Blob([bytes], { type: mediaType }))
}
