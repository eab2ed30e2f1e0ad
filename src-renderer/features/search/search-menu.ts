/** The right click of a result; the keys beside the entries work in the list. */
import { t } from '../../ui/i18n.ts'
import { type MenuEntry, toast } from '../../ui/index.ts'
import type { RunCommand } from '../commands.ts'
import { showReplaced } from './row-actions.ts'
import type { ResultRow } from './search-results.ts'
import type { RowActions } from './search-row.tsx'

export function searchMenu(row: ResultRow, run: RunCommand, { onReplace, onDismiss }: RowActions): MenuEntry[] {
  const { path } = row.kind === 'file' ? row.file : row.match
  const copy = (id: string, label: string, text: string): MenuEntry => ({
    id,
    label,
    onSelect: () => void navigator.clipboard.writeText(text).then(() => toast.info(t('ui.copied'))),
  })
  return [
    ...(onReplace
      ? ([
          {
            id: 'replace',
            label: t(row.kind === 'file' ? 'search.replaceFile' : 'search.replaceOne'),
            keys: '$mod+Shift+1',
            onSelect: () => onReplace(row),
          },
          {
            id: 'preview',
            label: t('search.preview'),
            onSelect: () =>
              void showReplaced(run, row).catch((fault: Error) =>
                toast.error(t('search.noPreview'), { detail: fault.message }),
              ),
          },
          { kind: 'separator', id: 'line' },
        ] satisfies MenuEntry[])
      : []),
    { id: 'dismiss', label: t('search.dismiss'), keys: 'Delete', onSelect: () => onDismiss(row) },
    { kind: 'separator', id: 'line2' },
    ...(row.kind === 'match' ? [copy('copyLine', t('search.copyLine'), row.match.text)] : []),
    copy('copyPath', t('search.copyPath'), path.path),
  ]
}
