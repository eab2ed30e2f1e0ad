/** What can be done from one message on: there on hover and for the keyboard. Over a person's own words: edit, rewind, and the rest. */
import { Copy, Ellipsis, GitFork, Pencil, RotateCw, Undo2 } from 'lucide-react'
import type { SessionId } from '#contract/id'
import type { MessageItem } from '#contract/session-state'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { useT } from '../../../ui/i18n.ts'
import { IconButton, Menu, type MenuEntry } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'

const ICON_PX = 13

export function MessageActs({ sessionId, item }: { readonly sessionId: SessionId; readonly item: MessageItem }) {
  const t = useT()
  const run = useCommand()
  const running = useSessionFact(sessionId, 'running') !== null
  const { id: itemId, role, text } = item
  const mine = role === 'user'
  const edit = () => void run('agent.editPrompt', { itemId })
  const rewind = () => void run('agent.rewind', { to: { before: itemId } })
  const entries = (): MenuEntry[] => [
    ...(mine ? [{ id: 'edit', label: t('chat.editPrompt'), icon: Pencil, onSelect: edit }] : []),
    { id: 'rewind', label: t('chat.rewindMessage'), icon: Undo2, onSelect: rewind },
    {
      id: 'rerun',
      label: t('chat.rerun'),
      icon: RotateCw,
      disabled: running,
      onSelect: () => void run('agent.rerun', { itemId }),
    },
    {
      id: 'fork',
      label: t(mine ? 'chat.forkBefore' : 'chat.forkHere'),
      icon: GitFork,
      onSelect: () => void run('agent.fork', { itemId, before: mine }),
    },
    { kind: 'separator', id: 'rule' },
    { id: 'copy', label: t('chat.copy'), icon: Copy, onSelect: () => void navigator.clipboard.writeText(text) },
  ]
  return (
    <span className="chat-acts">
      {mine && (
        <>
          <IconButton label={t('chat.editPrompt')} icon={Pencil} size={ICON_PX} onClick={edit} />
          <IconButton label={t('chat.rewindMessage')} icon={Undo2} size={ICON_PX} onClick={rewind} />
        </>
      )}
      <Menu entries={entries} align="end">
        <IconButton label={t(mine ? 'chat.actsMine' : 'chat.actsOfAnswer')} icon={Ellipsis} size={ICON_PX} />
      </Menu>
    </span>
  )
}
