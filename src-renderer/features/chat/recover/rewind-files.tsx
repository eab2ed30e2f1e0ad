/** What becomes of each file: a line each, with the choice where there is one; opened, what changes in it. Long lists are virtual. */
import { useMemo, useState } from 'react'
import type { RewindLine, RewindTarget } from '#contract/head'
import type { SessionId } from '#contract/id'
import { pathKey } from '#contract/path'
import { useT } from '../../../ui/i18n.ts'
import { VirtualList } from '../../../ui/index.ts'
import { choose, type FileChoices } from './file-choices.ts'
import { RewindFileRow } from './rewind-file-row.tsx'

const ROW_PX = 32
/** Before it scrolls. */
const MOST_PX = 8 * ROW_PX
/** With a difference open. */
const MOST_OPEN_PX = 340

/** What changes first. */
const order: readonly RewindLine['action'][] = ['restore', 'remove', 'merge', 'keep', 'cannot']

interface RewindFilesProps {
  readonly sessionId: SessionId
  readonly to: RewindTarget
  readonly lines: readonly RewindLine[]
  readonly more: number
  readonly choices: FileChoices
  readonly onChoose: (choices: FileChoices) => void
  /** The files are not asked for: nothing can be chosen. */
  readonly idle: boolean
}

export function RewindFiles({ sessionId, to, lines, more, choices, onChoose, idle }: RewindFilesProps) {
  const t = useT()
  const [open, setOpen] = useState<string | null>(null)
  const sorted = useMemo(() => [...lines].sort((a, b) => order.indexOf(a.action) - order.indexOf(b.action)), [lines])
  return (
    <div className="rewind-files" inert={idle} data-idle={idle || undefined}>
      <VirtualList
        role="list"
        rowRole="listitem"
        aria-label={t('recover.files')}
        style={{ maxHeight: open === null ? MOST_PX : MOST_OPEN_PX }}
        items={sorted}
        keyOf={({ path }) => pathKey(path)}
        rowHeight={ROW_PX}
        measured
        render={line => {
          const key = pathKey(line.path)
          return (
            <RewindFileRow
              {...{ sessionId, to, line, choices }}
              open={open === key}
              onToggle={() => setOpen(open === key ? null : key)}
              onChoose={fate => onChoose(choose(choices, line, fate))}
            />
          )
        }}
      />
      {more > 0 && <div className="rewind-more">{t('recover.moreFiles', { count: more })}</div>}
    </div>
  )
}
