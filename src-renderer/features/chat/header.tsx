/** The panel's head: which session, a new one, all of them, and what else can be done with it. */
import { ChevronDown, Ellipsis, History, Plus } from 'lucide-react'
import { useState } from 'react'
import { belay } from '../../client/index.ts'
import { useOpenAsks, useSessionFact } from '../../state/mirror/session.ts'
import { sessionListMirror } from '../../state/mirror/session-list.ts'
import { useSessionId } from '../../state/view/session.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, IconButton, Menu, type MenuEntry, Tooltip } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { pickerOpen } from './picker-open.ts'
import { showProblem } from './problem.ts'

/** Sessions in the head's own menu; the rest is in the sessions pane. */
const RECENT = 12

export function Header() {
  const t = useT()
  const run = useCommand()
  const id = useSessionId()
  const title = useSessionFact(id, 'title')
  const running = useSessionFact(id, 'running') !== null
  const asks = useOpenAsks(id).length
  const open = pickerOpen(state => state.open === 'sessions')
  const [renaming, setRenaming] = useState(false)
  const name = title ?? (id ? t('chat.untitled') : t('chat.newSession'))
  const { status, sessions } = sessionListMirror()
  const summary = sessions.find(each => each.sessionId === id)
  const recent = sessions
    .filter(each => !each.archived)
    .slice(0, RECENT)
    .map(
      (each): MenuEntry => ({
        id: each.sessionId,
        label: each.title || each.preview || t('chat.untitled'),
        note: each.state === 'idle' ? '' : t(`chat.listState.${each.state}`),
        checked: each.sessionId === id,
        onSelect: () => void run('agent.openSession', { sessionId: each.sessionId }),
      }),
    )
  const none = { opening: 'sessions.loading', failed: 'sessions.failed', ready: 'sessions.none' } as const
  const act = (work: Promise<unknown>) => void work.catch(thrown => showProblem(t('chat.actFailed'), thrown))
  const more = (): MenuEntry[] =>
    id
      ? [
          { id: 'rename', label: t('chat.rename'), onSelect: () => setRenaming(true) },
          {
            id: 'pin',
            label: t(summary?.pinned ? 'chat.unpin' : 'chat.pin'),
            onSelect: () => act(belay.session.pin({ sessionId: id, pinned: !summary?.pinned })),
          },
          { kind: 'separator', id: 'ways' },
          { id: 'rewind', label: t('chat.rewindDots'), keys: '$mod+Alt+Z', onSelect: () => void run('agent.rewind') },
          { id: 'fork', label: t('chat.forkDots'), onSelect: () => void run('agent.fork') },
          { id: 'compare', label: t('chat.compareDots'), onSelect: () => void run('agent.compareBranches') },
          { id: 'compact', label: t('command.agent.compact'), onSelect: () => void run('agent.compact') },
          { kind: 'separator', id: 'keep' },
          { id: 'markdown', label: t('chat.exportMarkdown'), onSelect: () => void run('agent.exportMarkdown') },
          { id: 'json', label: t('chat.exportJson'), onSelect: () => void run('agent.exportJson') },
          {
            id: 'archive',
            label: t(summary?.archived ? 'chat.unarchive' : 'chat.archive'),
            onSelect: () => act(belay.session.archive({ sessionId: id, archived: !summary?.archived })),
          },
        ]
      : [{ id: 'sessions', label: t('command.agent.sessions'), onSelect: () => void run('agent.sessions') }]
  return (
    <header className="chat-head">
      {renaming && id ? (
        <RenameField
          initial={name}
          onDone={next => {
            setRenaming(false)
            if (next && next !== name) act(belay.session.title({ sessionId: id, title: next }))
          }}
        />
      ) : (
        <Menu
          entries={recent.length > 0 ? recent : [{ kind: 'label', id: 'none', label: t(none[status]) }]}
          open={open}
          onOpenChange={next => pickerOpen.setState({ open: next ? 'sessions' : null })}
        >
          <button type="button" className="chat-title" aria-label={t('chat.sessionLabel', { title: name })}>
            <span className="chat-cut">{name}</span>
            <ChevronDown size={13} />
          </button>
        </Menu>
      )}
      {running && asks === 0 && <Badge tone="accent">{t('chat.listState.running')}</Badge>}
      {running && asks > 0 && (
        <Tooltip label={t('command.agent.nextAsk')} keys="$mod+Alt+A">
          <button type="button" className="chat-waits" onClick={() => void run('agent.nextAsk')}>
            <Badge tone="ask">{asks > 1 ? t('chat.waitForYou', { count: asks }) : t('chat.waitsForYou')}</Badge>
          </button>
        </Tooltip>
      )}
      {summary?.heldBy && <Badge tone="ask">{t('chat.heldBy', { owner: summary.heldBy })}</Badge>}
      <span className="chat-head-acts">
        <IconButton
          label={t('command.agent.sessions')}
          keys="$mod+R"
          icon={History}
          onClick={() => void run('agent.sessions')}
        />
        <IconButton
          label={t('command.agent.newSession')}
          keys="$mod+Shift+L"
          icon={Plus}
          onClick={() => void run('agent.newSession')}
        />
        <Menu entries={more} align="end">
          <IconButton label={t('chat.more')} icon={Ellipsis} />
        </Menu>
      </span>
    </header>
  )
}

function RenameField({
  initial,
  onDone,
}: {
  readonly initial: string
  readonly onDone: (title: string | null) => void
}) {
  const t = useT()
  return (
    <input
      className="chat-rename"
      // biome-ignore lint/a11y/noAutofocus: the person chose "Rename" a moment ago
      autoFocus
      defaultValue={initial}
      maxLength={200}
      aria-label={t('chat.rename')}
      onFocus={event => event.target.select()}
      onBlur={event => onDone(event.target.value.trim())}
      onKeyDown={event => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') event.currentTarget.blur()
        if (event.key === 'Escape') onDone(null)
      }}
    />
  )
}
