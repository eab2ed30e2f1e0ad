/** The message and the commit. Ctrl+Enter commits; what was written stays through a reload and a refusal. */
import { ChevronDown, Sparkles, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { GitStatus } from '#contract/git'
import { useT } from '../../../ui/i18n.ts'
import { Badge, Button, IconButton, keyText, Menu, type MenuEntry } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { told } from '../attempt.ts'
import { operations } from '../operations.ts'
import type { Here } from '../repository.ts'
import { changeDraft, proposeMessage, signsOff, useDraft } from '../verbs/commit.ts'
import { BranchRow } from './branch-row.tsx'

/** Beyond it the field scrolls. */
const MOST_HEIGHT_PX = 220
/** Where a subject gets long for most who read it. */
const LONG_SUBJECT = 72

export function CommitBox({ at, status }: { readonly at: Here; readonly status: GitStatus }) {
  const t = useT()
  const run = useCommand()
  const { rootId, workspaceId } = at
  const { message, amend } = useDraft(rootId)
  const signOff = signsOff.use()
  const busy = operations(state => state.running.some(({ doing }) => doing === 'commit'))
  const writing = operations(state => state.running.find(({ doing }) => doing === 'writeMessage'))
  const field = useRef<HTMLTextAreaElement>(null)
  const { inProgress } = status
  const merging = inProgress?.kind === 'merge'
  useEffect(() => {
    if (merging) told(proposeMessage({ rootId, workspaceId }))
  }, [merging, rootId, workspaceId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it grows with its text
  useLayoutEffect(() => {
    const box = field.current
    if (!box) return
    box.style.height = 'auto'
    box.style.height = `${Math.min(MOST_HEIGHT_PX, box.scrollHeight + 2)}px`
  }, [message])
  const subject = message.split('\n', 1)[0]?.length ?? 0
  const entries = (): readonly MenuEntry[] => [
    { id: 'push', label: t('command.git.commitAndPush'), onSelect: () => void run('git.commitAndPush') },
    { kind: 'separator', id: 'line' },
    { id: 'amend', label: t('command.git.amend'), checked: amend, onSelect: () => void run('git.amend') },
    { id: 'sign', label: t('command.git.signOff'), checked: signOff, onSelect: () => void run('git.signOff') },
    { kind: 'separator', id: 'line2' },
    {
      id: 'undo',
      label: t('command.git.undoCommit'),
      disabled: status.head === null,
      onSelect: () => void run('git.undoCommit'),
    },
  ]
  return (
    <div className="git-commit">
      <BranchRow status={status} />
      <div className="git-message-box">
        <textarea
          ref={field}
          className="ui-input git-message"
          data-git-message=""
          rows={1}
          aria-label={t('source.message')}
          placeholder={t('source.messageHint', { keys: keyText('$mod+Enter') })}
          value={message}
          onChange={event => changeDraft(rootId, { message: event.currentTarget.value })}
        />
        {writing ? (
          <IconButton icon={X} size={14} label={t('source.stopWriting')} onClick={writing.cancel} />
        ) : (
          <IconButton
            icon={Sparkles}
            size={14}
            label={t('command.git.writeMessage')}
            disabled={status.counts.files === 0}
            onClick={() => void run('git.writeMessage')}
          />
        )}
      </div>
      {subject > LONG_SUBJECT && <p className="git-hint">{t('source.longSubject', { count: subject })}</p>}
      <div className="git-commit-buttons">
        <Button variant="main" className="git-commit-main" busy={busy} onClick={() => void run('git.commit')}>
          {t(amend ? 'source.amend' : busy ? 'source.committing' : 'source.commit')}
          {signOff && <Badge>{t('source.signedOff')}</Badge>}
        </Button>
        <Menu align="end" entries={entries}>
          <IconButton className="git-commit-more" icon={ChevronDown} label={t('source.commitMore')} />
        </Menu>
      </div>
    </div>
  )
}
