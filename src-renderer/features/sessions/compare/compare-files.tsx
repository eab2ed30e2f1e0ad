/** The files in which two branches differ, one of them shown. */
import { type KeyboardEvent, useRef } from 'react'
import type { Comparison } from '#contract/session-tree'
import { fileIcon } from '../../../ui/file-icon.ts'
import { useT } from '../../../ui/i18n.ts'
import { cx, VirtualList, type VirtualListHandle } from '../../../ui/index.ts'
import { listStep } from '../../../ui/list-step.ts'
import { visibleLine } from '../../../ui/visible.ts'

const ROW_PX = 26

export type ComparedPath = Comparison['files'][number]
export const fileKey = ({ root, path }: ComparedPath): string => `${root}\0${path}`

interface CompareFilesProps {
  readonly files: readonly ComparedPath[]
  readonly more: number
  readonly shown: string
  readonly onShow: (key: string) => void
}

export function CompareFiles({ files, more, shown, onShow }: CompareFilesProps) {
  const t = useT()
  const list = useRef<VirtualListHandle>(null)
  const at = files.findIndex(file => fileKey(file) === shown)
  const severalRoots = new Set(files.map(({ root }) => root)).size > 1
  const onKeyDown = (event: KeyboardEvent) => {
    const to = listStep(event.key, { at, count: files.length, list: list.current, rowPixels: ROW_PX })
    const next = to === undefined ? undefined : files[to]
    if (!next || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    onShow(fileKey(next))
    list.current?.scrollToIndex(files.indexOf(next))
  }
  return (
    <div className="compare-files">
      <VirtualList
        role="listbox"
        tabIndex={0}
        aria-label={t('recover.compareFiles')}
        aria-activedescendant={at >= 0 ? `compare-${at}` : undefined}
        className="ui-rows"
        handle={list}
        items={files}
        keyOf={fileKey}
        rowHeight={ROW_PX}
        onKeyDown={onKeyDown}
        render={(file, index) => {
          const Icon = fileIcon(file.path)
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and points here
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list hears the keys
            <div
              id={`compare-${index}`}
              role="option"
              aria-selected={index === at}
              className={cx('ui-row compare-row', index === at && 'compare-shown')}
              onClick={() => onShow(fileKey(file))}
            >
              <Icon size={14} />
              <span className="compare-path" title={file.path}>
                {visibleLine(severalRoots ? `${file.root}/${file.path}` : file.path)}
              </span>
              <span className="compare-dim">{t(`recover.side.${sideOf(file)}`)}</span>
            </div>
          )
        }}
      />
      {more > 0 && <div className="compare-note">{t('recover.compareMore', { count: more })}</div>}
    </div>
  )
}

const sideOf = ({ a, b }: ComparedPath): 'left' | 'right' | 'both' =>
  a.hash === null ? 'right' : b.hash === null ? 'left' : 'both'
