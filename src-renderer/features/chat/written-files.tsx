/** The files a command wrote, a folded line each; few of them show their diffs at once. */
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { SessionId } from '#contract/id'
import type { FileWrite } from '#contract/session-event'
import type { ToolItem } from '#contract/session-state'
import { useT } from '../../ui/i18n.ts'
import { Button, cx } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { FileDiff } from './file-diff.tsx'

/** Of so many the diffs are open from the start. */
const OPEN_FILES = 3
/** Lines shown before a person asks for all. */
const FIRST_LINES = 20

export function WrittenFiles({ sessionId, item }: { readonly sessionId: SessionId; readonly item: ToolItem }) {
  const t = useT()
  const [all, setAll] = useState(false)
  const { files, detail } = item
  const more = typeof detail.moreFiles === 'number' ? detail.moreFiles : 0
  const shown = all ? files : files.slice(0, FIRST_LINES)
  return (
    <>
      {files.length > 0 && (
        <ul className="chat-files" aria-label={t('chat.filesWritten')}>
          {shown.map(write => (
            <WrittenFile
              key={`${write.path.rootId} ${write.path.path}`}
              {...{ sessionId, item, write, first: files.length <= OPEN_FILES }}
            />
          ))}
        </ul>
      )}
      {shown.length < files.length && (
        <div className="chat-more">
          <Button variant="ghost" onClick={() => setAll(true)}>
            {t('chat.allFiles', { count: files.length })}
          </Button>
        </div>
      )}
      {more > 0 && <div className="chat-note">{t('chat.moreFiles', { count: more })}</div>}
      {detail.unseenWrites === true && <div className="chat-note">{t('chat.unseenWrites')}</div>}
    </>
  )
}

interface WrittenFileProps {
  readonly sessionId: SessionId
  readonly item: ToolItem
  readonly write: FileWrite
  /** Open from the start. */
  readonly first: boolean
}

function WrittenFile({ sessionId, item, write, first }: WrittenFileProps) {
  const t = useT()
  const [open, setOpen] = useState(first)
  const what = write.before === null ? 'new' : write.after === null ? 'deleted' : null
  return (
    <li>
      <button type="button" className="chat-card-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <ChevronRight size={13} className={cx('chat-chevron', open && 'chat-open')} />
        <span className="chat-mono chat-cut">{visible(write.path.path)}</span>
        <span className="chat-end">
          {what && <span className="chat-dim">{t(`chat.file.${what}`)}</span>}
          {write.added > 0 && <span className="chat-plus">+{write.added}</span>}
          {write.removed > 0 && <span className="chat-minus">−{write.removed}</span>}
        </span>
      </button>
      {open && <FileDiff sessionId={sessionId} item={item} write={write} />}
    </li>
  )
}
