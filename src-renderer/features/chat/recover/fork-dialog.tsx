/** Before a fork: what both branches are called, and whether the new one has files of its own. */
import { type FormEvent, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import { belay } from '../../../client/index.ts'
import { useGitStatus } from '../../../state/mirror/git.ts'
import { useSessionFact } from '../../../state/mirror/session.ts'
import { sessionListMirror } from '../../../state/mirror/session-list.ts'
import { currentSession } from '../../../state/view/session.ts'
import { useWorkspace, workspaceView } from '../../../state/view/workspace.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, Dialog, TextField, toast } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { branchNameFor, nextTitle } from './branch-names.ts'
import { ForkWorktree, type WorktreeDraft } from './fork-worktree.tsx'
import { giveBack } from './give-back.ts'
import type { AskedFork } from './recover-view.ts'
import { beginning } from './rewind-words.ts'
import './rewind.css'

const WIDTH_PX = 520
const MOST_CHARS = 200

export function ForkDialog({ asked, onClose }: { readonly asked: AskedFork; readonly onClose: () => void }) {
  const t = useT()
  const run = useCommand()
  const { sessionId, atItemId, prompt } = asked
  const summary = sessionListMirror(({ sessions }) => sessions.find(each => each.sessionId === sessionId))
  const titled = useSessionFact(sessionId, 'title')
  const now = titled ?? (summary?.title || t('chat.untitled'))
  const workspace = useWorkspace()
  const repository = useGitStatus(workspace?.roots[0]?.rootId)?.standing === 'ready'
  const [mine, setMine] = useState(now)
  const [title, setTitle] = useState(() => asked.title ?? nextTitle(now, sessionListMirror.getState().sessions))
  const [worktree, setWorktree] = useState<WorktreeDraft>({ on: false, branch: null, files: 'checkpoint' })
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [requestId] = useState(() => crypto.randomUUID())
  const first = useRef<HTMLInputElement>(null)
  const ready = title.trim() !== '' && mine.trim() !== ''

  const fork = async (event?: FormEvent) => {
    event?.preventDefault()
    if (!ready || busy) return
    setBusy(true)
    setProblem(null)
    try {
      const branch = (worktree.branch ?? branchNameFor(title)).trim()
      const wanted = { files: worktree.files, ...(branch === '' ? {} : { branch }) }
      const made = await belay.session.fork({
        ...{ sessionId, atItemId, requestId, title: title.trim() },
        ...(worktree.on && repository ? { worktree: wanted } : {}),
      })
      if (mine.trim() !== now) await belay.session.title({ sessionId, title: mine.trim() })
      onClose()
      await show(made)
    } catch (thrown) {
      setProblem(localize(toFault(thrown).message))
      setBusy(false)
    }
  }
  const show = async (made: Awaited<ReturnType<typeof belay.session.fork>>) => {
    const isHere = () => workspaceView.getState().workspace?.workspaceId === made.workspaceId
    if (!isHere()) await run('app.openFolderAt', { folder: made.folder })
    // Where its folder could not be opened that was said.
    if (!isHere()) return
    currentSession.set(made.sessionId)
    toast.ok(t('recover.forked', { title: title.trim() }))
    if (made.moved) toast.info(t(`recover.cut.${made.moved}`))
    if (made.notBrought.length > 0)
      toast.error(t('recover.notBrought', { count: made.notBrought.length }), { detail: made.notBrought.join('\n') })
    if (prompt) await giveBack(sessionId, prompt)
    void run('app.focusAgent')
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={prompt ? t('recover.forkBefore', { words: beginning(prompt.text) }) : t('recover.fork')}
      description={t('recover.forkMeans')}
      width={WIDTH_PX}
      initialFocus={first}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('recover.cancel')}
          </Button>
          <Button variant="main" busy={busy} aria-disabled={!ready || undefined} onClick={() => void fork()}>
            {t(busy ? 'recover.forking' : 'recover.forkDo')}
          </Button>
        </>
      }
    >
      <form className="fork-fields" onSubmit={event => void fork(event)}>
        <TextField
          ref={first}
          label={t('recover.newName')}
          value={title}
          maxLength={MOST_CHARS}
          onChange={setTitle}
          onFocus={event => event.currentTarget.select()}
        />
        <TextField label={t('recover.thisName')} value={mine} maxLength={MOST_CHARS} onChange={setMine} />
        {repository && <ForkWorktree draft={worktree} proposal={branchNameFor(title)} onChange={setWorktree} />}
        {problem !== null && (
          <p className="rewind-problem" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" hidden />
      </form>
    </Dialog>
  )
}
