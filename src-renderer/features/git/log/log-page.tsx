/** The history: commits with the lines between them, a filter, and under it the chosen commit with its files. */
import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { localize, useT } from '../../../ui/i18n.ts'
import {
  ContextMenu,
  EmptyState,
  Segmented,
  Spinner,
  Splitter,
  TextField,
  VirtualList,
  type VirtualListHandle,
} from '../../../ui/index.ts'
import { listStep } from '../../../ui/list-step.ts'
import { useCommand } from '../../commands.ts'
import type { PageProps } from '../../feature.ts'
import { LogArgument } from '../open.ts'
import { CommitDetails } from './commit-details.tsx'
import { commitMenu } from './commit-menu.ts'
import { lanesOf } from './graph.ts'
import { ROW_PX, widthOf } from './graph-cell.tsx'
import { LogRowView } from './log-row.tsx'
import { type LogRow, useLog } from './use-log.ts'
import '../git.css'
import './log.css'

export function LogPage({ argument: given, title }: PageProps) {
  const t = useT()
  const run = useCommand()
  const asked = useMemo(() => LogArgument.parse(given), [given])
  const [scope, setScope] = useState<'own' | 'all'>('own')
  const [text, setText] = useState('')
  const argument = useMemo(() => (scope === 'all' ? { ...asked, of: 'all' } : asked), [asked, scope])
  const { rootId, path } = argument
  const log = useLog(argument, text)
  const { rows } = log
  const [chosen, setChosen] = useState<string | null>(asked.commit)
  const list = useRef<VirtualListHandle>(null)
  const at = rows.findIndex(({ commit }) => commit.oid === chosen)
  const width = useMemo(
    () => widthOf(rows.reduce((most, { graph }) => Math.max(most, graph ? lanesOf(graph) : 0), 0)),
    [rows],
  )
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at)
  }, [at])
  const choose = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row) setChosen(row.commit.oid)
    if (index > rows.length - 20) log.loadMore()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const to = listStep(event.key, { at, count: rows.length, list: list.current, rowPixels: ROW_PX })
    if (to !== undefined) choose(to)
    else if (event.key === 'Enter' && chosen) void run('git.showCommit', { rootId, commit: chosen })
    else return
    event.preventDefault()
  }
  const onScroll = () => {
    const seen = list.current?.visible()
    if (seen && seen[1] > rows.length - 30) log.loadMore()
  }
  const commits = (
    <ContextMenu
      entries={() => {
        const row = rows[at]
        return row ? commitMenu(run, rootId, row.commit) : []
      }}
    >
      <VirtualList<LogRow>
        role="listbox"
        tabIndex={0}
        aria-label={title}
        aria-activedescendant={at >= 0 ? `git-log-${at}` : undefined}
        className="git-log-list ui-rows"
        data-context="list"
        data-autofocus=""
        handle={list}
        items={rows}
        keyOf={row => row.commit.oid}
        rowHeight={ROW_PX}
        overscan={20}
        onKeyDown={onKeyDown}
        onScroll={onScroll}
        onFocus={() => at < 0 && choose(0)}
        render={(row, index) => (
          <LogRowView
            id={`git-log-${index}`}
            row={row}
            graphWidth={width}
            chosen={index === at}
            onChoose={() => setChosen(row.commit.oid)}
            onOpen={() => void run('git.showCommit', { rootId, commit: row.commit.oid })}
          />
        )}
      />
    </ContextMenu>
  )
  return (
    <div className="git-log">
      <div className="git-log-tools">
        <TextField
          label={t('source.logFilter')}
          hideLabel
          placeholder={t('source.logFilter')}
          value={text}
          onChange={setText}
        />
        {!path && (
          <Segmented
            label={t('source.logScope')}
            value={scope}
            options={[
              { value: 'own', label: t('source.logOwn') },
              { value: 'all', label: t('source.logAll') },
            ]}
            onChange={setScope}
          />
        )}
      </div>
      {log.status === 'failed' && rows.length === 0 ? (
        <EmptyState title={t('source.logFailed')} body={log.fault && localize(log.fault.message)} />
      ) : log.status === 'loading' ? (
        <div className="git-wait">
          <Spinner label={t('source.logLoading')} />
        </div>
      ) : rows.length === 0 ? (
        <EmptyState icon={Search} title={t(text ? 'source.logNoMatch' : 'source.logEmpty')} />
      ) : (
        <Splitter
          vertical
          label={t('source.resizeDetails')}
          className="git-log-split"
          panes={[
            { id: 'commits', content: commits, minSize: 80 },
            ...(chosen
              ? [
                  {
                    id: 'details',
                    size: 240,
                    minSize: 90,
                    content: <CommitDetails key={chosen} of={{ rootId, commit: chosen }} path={path} />,
                  },
                ]
              : []),
          ]}
        />
      )}
    </div>
  )
}
