/** A commit (or a stash) in full: what it says, whose it is, and its files, each of which opens as a diff. */

import { Copy } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { baseName, parentPath } from '#contract/path'
import { formatMoment } from '../../../ui/format.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Badge, cx, EmptyState, IconButton, Spinner, VirtualList, type VirtualListHandle } from '../../../ui/index.ts'
import { visible, visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { type CommitArgument, diffPage } from '../open.ts'
import { letters, tones } from '../words.ts'
import { RefBadge } from './log-row.tsx'
import { type ChangedFile, type ChangeSet, useChangeSet } from './use-change-set.ts'
import '../git.css'
import './log.css'

const FILE_PX = 24

interface CommitDetailsProps {
  readonly of: CommitArgument
  /** The file whose history this is: it stands first. */
  readonly path?: string | null
}

export function CommitDetails({ of, path = null }: CommitDetailsProps) {
  const t = useT()
  const { set, fault } = useChangeSet(of)
  if (!set)
    return (
      <div className="git-wait">
        {fault ? (
          <EmptyState title={t('source.commitFailed')} body={localize(fault.message)} />
        ) : (
          <Spinner label={t('source.commitLoading')} />
        )}
      </div>
    )
  return (
    <div className="git-details">
      <Words set={set} />
      <Files of={of} set={set} path={path} />
    </div>
  )
}

function Words({ set }: { readonly set: ChangeSet }) {
  const t = useT()
  const { details, message } = set
  const [subject = '', ...rest] = message.trim().split('\n')
  const body = rest.join('\n').trim()
  return (
    <div className="git-words">
      <p className="git-words-subject">{visibleLine(subject)}</p>
      {details && (
        <p className="git-words-facts">
          <code>{details.commit.oid.slice(0, 10)}</code>
          <IconButton
            icon={Copy}
            size={12}
            label={t('source.commit.copyHash')}
            onClick={() => void navigator.clipboard.writeText(details.commit.oid)}
          />
          <span title={visibleLine(details.commit.author.email)}>{visibleLine(details.commit.author.name)}</span>
          <span>{formatMoment(details.commit.authoredAt * 1000)}</span>
          {details.committer.name !== details.commit.author.name && (
            <span>{t('source.committedBy', { name: visibleLine(details.committer.name) })}</span>
          )}
          {details.signed && <Badge>{t('source.signed')}</Badge>}
          {details.commit.refs.map(ref => (
            <RefBadge key={`${ref.kind} ${ref.name}`} of={ref} />
          ))}
        </p>
      )}
      {body && <pre className="git-words-body">{visible(body)}</pre>}
    </div>
  )
}

function Files({ of, set, path }: Required<CommitDetailsProps> & { readonly set: ChangeSet }) {
  const t = useT()
  const run = useCommand()
  const list = useRef<VirtualListHandle>(null)
  const [at, setAt] = useState(0)
  const files =
    path === null ? set.files : [...set.files].sort((a, b) => Number(b.path === path) - Number(a.path === path))
  const open = (file: ChangedFile, preview: boolean) => {
    if (file.path === null) return
    const title = t('source.title.at', { name: visibleLine(baseName(file.path)), commit: set.short })
    const { rootId } = of
    const { path: shown, from = null } = file
    const argument = { rootId, path: shown, oldPath: from, from: set.before, to: set.after, acts: 'none' } as const
    void run('editor.openPage', diffPage({ title, preview, argument }))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: files.length - 1 }
    const to = steps[event.key]
    if (to !== undefined) {
      const next = Math.max(0, Math.min(files.length - 1, to))
      setAt(next)
      list.current?.scrollToIndex(next)
    } else if (event.key === 'Enter' && files[at]) open(files[at], false)
    else return
    event.preventDefault()
  }
  return (
    <div className="git-files">
      <h3>
        {t('source.filesChanged', { count: files.length })}
        {set.truncated && ` ${t('source.filesTruncated')}`}
      </h3>
      <VirtualList<ChangedFile>
        role="listbox"
        tabIndex={0}
        aria-label={t('source.filesOf', { commit: set.short })}
        aria-activedescendant={files[at] ? `git-file-${at}` : undefined}
        className="git-files-list ui-rows"
        data-context="list"
        handle={list}
        items={files}
        keyOf={file => file.name}
        rowHeight={FILE_PX}
        onKeyDown={onKeyDown}
        render={(file, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and points here
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
          <div
            id={`git-file-${index}`}
            role="option"
            aria-selected={index === at}
            aria-disabled={file.path === null}
            className={cx('ui-row git-row', index === at && 'git-chosen')}
            onClick={event => {
              setAt(index)
              if (event.detail <= 1) open(file, true)
            }}
            onDoubleClick={() => open(file, false)}
          >
            <span className="git-file" title={visibleLine(file.from ? `${file.from} → ${file.name}` : file.name)}>
              <span className={cx('git-name', `git-${tones[file.change]}`)}>{visibleLine(baseName(file.name))}</span>
              <span className="git-folder">{visibleLine(parentPath(file.name))}</span>
            </span>
            {file.added !== null && <span className="git-plus">+{file.added}</span>}
            {file.removed !== null && <span className="git-minus">−{file.removed}</span>}
            <span className={cx('git-letter', `git-${tones[file.change]}`)} title={t(`source.state.${file.change}`)}>
              {letters[file.change]}
            </span>
          </div>
        )}
      />
    </div>
  )
}
