/** One row of what was found: a file with its count, or a line with the place marked and, where wished, what will stand there. */
import { ChevronDown, ChevronRight, Replace, ReplaceAll, X } from 'lucide-react'
import { baseName, parentPath } from '#contract/path'
import type { Replacement } from '#contract/replacement'
import { useRootName } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, RowButton } from '../../ui/index.ts'
import { filled } from './replace-run.ts'
import { piecesOf, placesIn, type ResultRow } from './search-results.ts'

/** What the mouse can do on a row; keys and the menu do the same. */
export interface RowActions {
  readonly onReplace: ((row: ResultRow) => void) | null
  readonly onDismiss: (row: ResultRow) => void
}

export function FileHead({ row, actions }: { readonly row: FileRow; readonly actions: RowActions }) {
  const { path } = row.file
  const rootName = useRootName(path.rootId)
  const Icon = row.open ? ChevronDown : ChevronRight
  return (
    <>
      <Icon size={14} />
      <span className="search-file" title={path.path}>
        {baseName(path.path)}
      </span>
      <span className="search-folder">{[rootName, parentPath(path.path)].filter(Boolean).join(' / ')}</span>
      <Badge>{placesIn(row).length}</Badge>
      <Actions row={row} actions={actions} />
    </>
  )
}
type FileRow = Extract<ResultRow, { kind: 'file' }>

interface MatchLineProps {
  readonly row: Extract<ResultRow, { kind: 'match' }>
  /** What will stand in the place of what was found; null: nothing is replaced. */
  readonly rule: Replacement | null
  readonly actions: RowActions
}

export function MatchLine({ row, rule, actions }: MatchLineProps) {
  return (
    <span className="search-match">
      <span className="search-text" title={row.match.text}>
        {piecesOf(row.match, rule && filled(rule)).map((piece, at) => {
          const Piece = { plain: 'span', hit: 'mark', old: 'del', put: 'ins' }[piece.kind] as 'span'
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one line never move
          return <Piece key={at}>{piece.text}</Piece>
        })}
      </span>
      <span className="search-line">{row.match.line}</span>
      <Actions row={row} actions={actions} />
    </span>
  )
}

function Actions({
  row,
  actions: { onReplace, onDismiss },
}: {
  readonly row: ResultRow
  readonly actions: RowActions
}) {
  const t = useT()
  const file = row.kind === 'file'
  return (
    <span className="search-actions">
      {onReplace && (
        <RowButton
          label={t(file ? 'search.replaceFile' : 'search.replaceOne')}
          icon={file ? ReplaceAll : Replace}
          onClick={() => onReplace(row)}
        />
      )}
      <RowButton label={t('search.dismiss')} icon={X} onClick={() => onDismiss(row)} />
    </span>
  )
}
