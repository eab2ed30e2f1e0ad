/** `‹ 2/3 ›`: this prompt or answer among those at the same place, and the way to the others. What is being read stays where it is. */
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useRef } from 'react'
import type { BranchPoint } from '#contract/head'
import type { ItemId, SessionId } from '#contract/id'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { formatAgo } from '../../../ui/format.ts'
import { useT } from '../../../ui/i18n.ts'
import { IconButton, Menu, type MenuEntry } from '../../../ui/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { useCommand } from '../../commands.ts'
import { showProblem } from '../problem.ts'
import { switchBranch } from './acts.ts'
import { keptPlace } from './recover-view.ts'

interface BranchRowProps {
  readonly sessionId: SessionId
  readonly rowKey: string
  readonly point: BranchPoint
  /** Where the one that is shown begins. */
  readonly itemId: ItemId
}

const ICON_PX = 13

export function BranchRow({ sessionId, rowKey, point, itemId: shown }: BranchRowProps) {
  const t = useT()
  const run = useCommand()
  const box = useRef<HTMLDivElement>(null)
  const running = useSessionFact(sessionId, 'running') !== null
  const { branches } = point
  const at = branches.findIndex(({ itemId }) => itemId === shown)
  const kind = branches[at]?.kind ?? 'answer'
  const go = (itemId: ItemId | undefined) => {
    if (!itemId || running) return
    const list = box.current?.closest('.chat-flow')
    if (list && box.current) {
      const offset = box.current.getBoundingClientRect().top - list.getBoundingClientRect().top
      keptPlace.setState({ kept: { rowKey, offset, until: itemId } })
    }
    switchBranch(sessionId, itemId).catch(thrown => showProblem(t('chat.switchFailed'), thrown))
  }
  const others = branches.filter(({ itemId }) => itemId !== shown)
  const entries = (): MenuEntry[] => [
    ...branches.map(
      ({ itemId, text, at: when }): MenuEntry => ({
        id: itemId,
        label: visibleLine(text) || t('chat.untitled'),
        note: formatAgo(when),
        checked: itemId === shown,
        disabled: running,
        onSelect: () => itemId === shown || go(itemId),
      }),
    ),
    { kind: 'separator', id: 'rule' },
    {
      kind: 'submenu',
      id: 'files',
      label: t('chat.branchWithFiles'),
      entries: others.map(({ itemId, text }) => ({
        id: `files ${itemId}`,
        label: visibleLine(text) || t('chat.untitled'),
        onSelect: () => void run('agent.rewind', { to: { branch: itemId } }),
      })),
    },
  ]
  const label = t(`chat.branch.${kind}`, { at: at + 1, count: branches.length })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced anew with every button
    <div ref={box} className="chat-branch" role="group" aria-label={label}>
      <IconButton
        label={t(`chat.branchBefore.${kind}`)}
        icon={ChevronLeft}
        size={ICON_PX}
        aria-disabled={at === 0 || running || undefined}
        onClick={() => go(branches[at - 1]?.itemId)}
      />
      <Menu entries={entries}>
        <button type="button" className="chat-branch-at" aria-label={label} title={label}>
          {at + 1}/{branches.length}
        </button>
      </Menu>
      <IconButton
        label={t(`chat.branchAfter.${kind}`)}
        icon={ChevronRight}
        size={ICON_PX}
        aria-disabled={at === branches.length - 1 || running || undefined}
        onClick={() => go(branches[at + 1]?.itemId)}
      />
    </div>
  )
}
