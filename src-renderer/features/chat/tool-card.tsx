/** A tool call in one line: icon, verb, target, what changed, badge, duration, state. Opens to its diff, output and exact arguments. */
import {
  BookOpen,
  Bot,
  ChevronRight,
  FilePen,
  FilePlus,
  FileSearch,
  Folder,
  Globe,
  ListTodo,
  Search,
  SquareTerminal,
  Wrench,
} from 'lucide-react'
import { useState } from 'react'
import type { SessionId } from '#contract/id'
import type { ToolItem } from '#contract/session-state'
import { formatDuration } from '../../ui/format.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, cx, type IconType } from '../../ui/index.ts'
import { visible } from '../../ui/visible.ts'
import { AdviceLine, adviceOf } from './advice.tsx'
import { Answered } from './answered.tsx'
import { LspBadge } from './lsp-badge.tsx'
import { useOpenLink } from './open-link.ts'
import { SubagentLines } from './subagent-lines.tsx'
import { ToolBody } from './tool-body.tsx'
import { toolWords } from './tool-words.ts'
import { Violations, violationsOf } from './violations.tsx'

const icons: Record<string, IconType> = {
  read: BookOpen,
  write: FilePlus,
  edit: FilePen,
  list: Folder,
  glob: FileSearch,
  grep: Search,
  bash: SquareTerminal,
  bash_output: SquareTerminal,
  bash_input: SquareTerminal,
  bash_stop: SquareTerminal,
  todo: ListTodo,
  web_search: Globe,
  webfetch: Globe,
  websearch: Globe,
  task: Bot,
  multitask: Bot,
  generate: Bot,
}

export function ToolCard({ sessionId, item }: { readonly sessionId: SessionId; readonly item: ToolItem }) {
  const t = useT()
  const [open, setOpen] = useState(false)
  const openLink = useOpenLink()
  const { verb, target, file } = toolWords(item)
  const Icon = icons[item.tool] ?? Wrench
  const advice = adviceOf(item)
  const violations = violationsOf(item)
  const added = item.files.reduce((sum, write) => sum + write.added, 0)
  const removed = item.files.reduce((sum, write) => sum + write.removed, 0)
  const shown = visible(target.split('\n')[0] ?? '')
  const more = target.includes('\n') ? ' …' : ''
  return (
    <div className={cx('chat-card', `chat-is-${item.state}`)} data-call={item.callId}>
      <div className="chat-card-row">
        <button
          type="button"
          className="chat-card-toggle"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          aria-label={`${t(verb)} ${shown}`}
        >
          <Icon size={14} className="chat-icon" />
          <span className="chat-dim">{t(verb)}</span>
          {!file && <span className="chat-what chat-mono">{shown + more}</span>}
        </button>
        {file && (
          <button
            type="button"
            className="chat-what chat-mono chat-link"
            onClick={() => openLink(file)}
            title={t('chat.openFile')}
          >
            {shown}
          </button>
        )}
        <span className="chat-end">
          {item.server && <span title={t('chat.atProviderTitle')}>{t('chat.atProvider')}</span>}
          {added > 0 && <span className="chat-plus">+{added}</span>}
          {removed > 0 && <span className="chat-minus">−{removed}</span>}
          <LspBadge verdicts={item.lsp} open={open} onToggle={() => setOpen(!open)} />
          <StateMark item={item} />
          <button type="button" className="chat-twist" aria-hidden="true" tabIndex={-1} onClick={() => setOpen(!open)}>
            <ChevronRight size={13} className={cx('chat-chevron', open && 'chat-open')} />
          </button>
        </span>
      </div>
      {item.subagents && <SubagentLines subagents={item.subagents} />}
      {violations.length > 0 && <Violations violations={violations} all={open} />}
      {advice.length > 0 && <AdviceLine paths={advice} />}
      <Answered sessionId={sessionId} item={item} brief={!open} />
      {(open || item.state === 'running') && <ToolBody sessionId={sessionId} item={item} brief={!open} />}
    </div>
  )
}

/** What became of it, in words where it is not simply done. */
function StateMark({ item }: { readonly item: ToolItem }) {
  const t = useT()
  const code = item.detail.exitCode
  if (item.state === 'done') return item.durationMs >= 100 ? <span>{formatDuration(item.durationMs)}</span> : null
  if (item.state === 'requested' || item.state === 'running')
    return (
      <span className="chat-busy">
        <span className="chat-dots" aria-hidden="true" />
        {t(`chat.state.${item.state}`)}
      </span>
    )
  if (item.state === 'failed' && typeof code === 'number') return <Badge tone="error">{t('chat.exit', { code })}</Badge>
  return (
    <Badge tone={item.state === 'denied' || item.state === 'stopped' ? 'plain' : 'error'}>
      {t(`chat.state.${item.state}`)}
    </Badge>
  )
}
