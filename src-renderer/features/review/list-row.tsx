/** One line of the list: a group with its sums, or a file with what is left of it and the two decisions about all of it. */
import { Check, ChevronDown, ChevronRight, Undo2 } from 'lucide-react'
import type { ReviewFile } from '#contract/review'
import { fileIcon } from '../../ui/file-icon.ts'
import { useT } from '../../ui/i18n.ts'
import { cx, IconButton } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import type { ListRow } from './list-rows.ts'
import { folderOf, nameOf } from './names.ts'

export function GroupRow({ row }: { readonly row: Extract<ListRow, { kind: 'group' }> }) {
  const t = useT()
  const Chevron = row.open ? ChevronDown : ChevronRight
  const sum = (of: 'added' | 'removed') => row.files.reduce((all, file) => all + file[of], 0)
  return (
    <>
      <Chevron size={14} />
      <span className="review-group">
        {row.group === 'files' ? t('review.countFiles', { count: row.files.length }) : t('review.others')}
      </span>
      {row.group === 'files' ? (
        <Counts added={sum('added')} removed={sum('removed')} />
      ) : (
        <span className="review-end review-dim">{row.files.length}</span>
      )}
    </>
  )
}

interface FileRowProps {
  readonly row: Extract<ListRow, { kind: 'file' }>
  readonly canAccept: boolean
}

export function FileRow({ row: { file, group }, canAccept }: FileRowProps) {
  const t = useT()
  const run = useCommand()
  const { path } = file
  const name = nameOf(path)
  const Icon = fileIcon(name)
  return (
    <>
      <Icon size={14} />
      <span className={cx('review-name', `review-${file.change}`)}>{name}</span>
      <span className="review-folder">{folderOf(path)}</span>
      {file.by === 'mixed' && group === 'files' && <span className="review-tag">{t('review.by.mixed')}</span>}
      <span className="review-end">
        <Amount file={file} />
      </span>
      {group === 'files' && (
        // The row below would open the file.
        // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the clicks of its buttons from the row
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys
        <span className="review-acts" onClick={event => event.stopPropagation()}>
          <IconButton
            icon={Undo2}
            size={13}
            tabIndex={-1}
            label={t('review.revertFile')}
            onClick={() => void run('review.revertFile', { path })}
          />
          {canAccept && (
            <IconButton
              icon={Check}
              size={13}
              tabIndex={-1}
              label={t('review.acceptFile')}
              onClick={() => void run('review.acceptFile', { path })}
            />
          )}
        </span>
      )}
    </>
  )
}

/** What kind of change it is where that says more than numbers. */
function Amount({ file }: { readonly file: ReviewFile }) {
  const t = useT()
  if (file.change === 'created') return <span className="review-created">{t('review.change.created')}</span>
  if (file.change === 'deleted') return <span className="review-deleted">{t('review.change.deleted')}</span>
  if (file.change === 'renamed' && file.added + file.removed === 0)
    return <span className="review-dim">{t('review.change.renamed')}</span>
  if (file.kind !== 'text') return <span className="review-dim">{t(`review.kind.${file.kind}`)}</span>
  return <Counts added={file.added} removed={file.removed} />
}

function Counts({ added, removed }: { readonly added: number; readonly removed: number }) {
  const t = useT()
  return (
    <span className="review-counts">
      {added > 0 && (
        <span className="review-plus">
          <span className="visually-hidden">{t('review.added')}</span>+{added}
        </span>
      )}
      {removed > 0 && (
        <span className="review-minus">
          <span className="visually-hidden">{t('review.removed')}</span>−{removed}
        </span>
      )}
    </span>
  )
}
