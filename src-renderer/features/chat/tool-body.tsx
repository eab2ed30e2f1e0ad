/** The inside of a tool card: what it changed, what it said, its exact arguments. Long output is paged, never all in the page. */
import { useState } from 'react'
import { toFault } from '#contract/error'
import type { BlobId, SessionId } from '#contract/id'
import type { ToolItem } from '#contract/session-state'
import { belay } from '../../client/index.ts'
import { useLive } from '../../state/mirror/session.ts'
import { formatBytes } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, toast } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { AnsiText } from './ansi-text.tsx'
import { FileDiff } from './file-diff.tsx'
import { FoundErrors } from './found-errors.tsx'
import { type SourceLine, Sources } from './sources.tsx'
import { WrittenFiles } from './written-files.tsx'

/** Of a running command: the end of what it wrote. */
const BRIEF_CHARS = 2000

export function ToolBody({
  sessionId,
  item,
  brief,
}: {
  readonly sessionId: SessionId
  readonly item: ToolItem
  readonly brief: boolean
}) {
  const t = useT()
  const live = useLive(sessionId, item.id, 'output')
  if (brief)
    return live ? (
      <pre className="chat-output chat-output-brief">
        <AnsiText text={live.slice(-BRIEF_CHARS)} />
      </pre>
    ) : null
  const output = live ?? ownOutput(item)
  const results = foundBy(item)
  const byCommand = item.detail.unseenWrites === true || item.files.some(write => write.via === 'command')
  const hasArguments = item.arguments !== '' && item.tool !== 'write' && item.tool !== 'edit'
  return (
    <div className="chat-body">
      <FoundErrors item={item} />
      {byCommand ? (
        <WrittenFiles sessionId={sessionId} item={item} />
      ) : (
        item.files.map(write => <FileDiff key={write.path.path} sessionId={sessionId} item={item} write={write} />)
      )}
      {hasArguments && (
        <details className="chat-arguments">
          <summary>{t('chat.arguments')}</summary>
          <pre>{visible(item.started === undefined ? item.arguments : JSON.stringify(item.started, null, 2))}</pre>
        </details>
      )}
      {results.length > 0 && <Sources sources={results} />}
      {output !== '' && results.length === 0 && (byCommand || item.files.length === 0 || item.state === 'failed') && (
        <Output
          sessionId={sessionId}
          text={output}
          blobId={item.preview?.blobId ?? null}
          bytes={item.preview?.bytes ?? 0}
        />
      )}
    </div>
  )
}

/** Without what stands behind it for the model alone: advice and verdicts have places of their own on the card. */
function ownOutput({ preview, detail }: ToolItem): string {
  const { toldChars } = detail
  const text = preview?.text ?? ''
  return typeof toldChars === 'number' && toldChars > 0 ? text.slice(0, -toldChars) : text
}

/** What a search found, at the provider or by Belay. The log is data from outside: what is no such list is none. */
function foundBy({ server, tool, detail }: ToolItem): SourceLine[] {
  if (!(server || tool === 'websearch') || !Array.isArray(detail.results)) return []
  const words = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return detail.results.flatMap((each: unknown) => {
    if (typeof each !== 'object' || each === null) return []
    const { url, title, snippet } = each as Record<string, unknown>
    return [{ url: words(url), title: words(title), quote: words(snippet) }]
  })
}

interface OutputProps {
  readonly sessionId: SessionId
  readonly text: string
  readonly blobId: BlobId | null
  readonly bytes: number
}

function Output({ sessionId, text, blobId, bytes }: OutputProps) {
  const t = useT()
  const [page, setPage] = useState<{ text: string; next: number | null } | null>(null)
  const more = async () => {
    if (!blobId) return
    try {
      const got = await belay.session.blob({ sessionId, blobId, offset: page?.next ?? 0, length: 200_000 })
      setPage({ text: (page?.text ?? '') + got.text, next: got.nextOffset })
    } catch (thrown) {
      toast.error(t('chat.outputGone'), { detail: toFault(thrown).message })
    }
  }
  const hasMore = blobId !== null && (page === null || page.next !== null)
  return (
    <>
      <pre className="chat-output" tabIndex={0}>
        <AnsiText text={page?.text ?? text} />
      </pre>
      {hasMore && (
        <div className="chat-more">
          <Button variant="ghost" onClick={() => void more()}>
            {page ? t('chat.showMore') : t('chat.showAll', { size: formatBytes(bytes) })}
          </Button>
        </div>
      )}
    </>
  )
}
