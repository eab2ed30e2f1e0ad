/** What Source Control answers to; and the ways on from a refusal, which are these very verbs. */
import { belay } from '../../client/index.ts'
import { refreshGit } from '../../client/workspace-pump.ts'
import { currentPath } from '../../state/view/editor.ts'
import { changeLayout } from '../../state/view/layout.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import type { CommandHandlers } from '../feature.ts'
import { showChanges, stepWith } from './attempt.ts'
import { blameShown } from './blame/blame-shown.ts'
import { filesNow } from './changes/all-files.ts'
import { changesOf } from './changes/rows.ts'
import { chosenChanges } from './changes/selection.ts'
import { nextConflict } from './conflict/in-text.ts'
import { takeLines } from './diff/front-diff.ts'
import { changePage, commitPage, fileHistoryPage, logPage } from './open.ts'
import { operations } from './operations.ts'
import { pickFrom } from './pick/picker.ts'
import { here, statusNow } from './repository.ts'
import { createBranch } from './verbs/branch.ts'
import { commit, focusMessage, signsOff, toggleAmend, undoLastCommit, writeMessage } from './verbs/commit.ts'
import { discard, discardAll, stage, stageAll, undoDiscard, unstage, unstageAll } from './verbs/files.ts'
import { proceed } from './verbs/progress.ts'
import { addRemote, fetchAll, publish, pull, push, sync } from './verbs/remote.ts'
import { addWorktree, initRepository, setIdentity } from './verbs/setup.ts'
import { makeStash, stashAway } from './verbs/stash.ts'

/** The pane may still be loading. */
const FRAMES_OF_PATIENCE = 120

const chosen = () => chosenChanges(changesOf(filesNow(statusNow())))

stepWith({
  refresh: () => refreshGit(),
  commit: () => {
    showChanges()
    focusMessage()
  },
  resolve: showChanges,
  discard: () => discardAll(),
  stash: async ({ rootId, again }) => void ((await stashAway(rootId)) && (await again())),
  continue: ({ rootId }) => proceed('continue', rootId),
  skip: ({ rootId }) => proceed('skip', rootId),
  abort: ({ rootId }) => proceed('abort', rootId),
  fetch: ({ rootId }) => fetchAll(rootId),
  pull: async ({ rootId, verb, again }) =>
    void ((await pull('configured', rootId, true)) && verb === 'push' && (await again())),
  pullRebase: async ({ rootId, verb, again }) =>
    void ((await pull('rebase', rootId, true)) && verb === 'push' && (await again())),
  pullMerge: async ({ rootId, verb, again }) =>
    void ((await pull('merge', rootId, true)) && verb === 'push' && (await again())),
  push: ({ rootId }) => push(rootId),
  publish: ({ rootId }) => publish(rootId),
  addRemote: async ({ rootId, verb, again }) =>
    void ((await addRemote(rootId)) && verb === 'publish' && (await again())),
  setIdentity: async ({ rootId, again }) => void ((await setIdentity(rootId)) && (await again())),
})

export const gitCommands: CommandHandlers = {
  'git.show': () => {
    changeLayout({ side: true, sidePane: 'git' })
    focusPane()
  },
  'git.refresh': () => refreshGit(),
  'git.init': initRepository,
  'git.commit': async () => void (await commit()),
  'git.commitAndPush': async () => {
    if (!(await commit())) return
    const { upstream, upstreamGone } = await belay.git.status(here())
    if (upstream && !upstreamGone) await push()
    else await publish()
  },
  'git.amend': toggleAmend,
  'git.signOff': () => signsOff.set(on => !on),
  'git.undoCommit': undoLastCommit,
  'git.writeMessage': writeMessage,
  'git.stage': async () => void (await stage(chosen())),
  'git.unstage': async () => void (await unstage(chosen())),
  'git.toggleStaged': async () => {
    const changes = chosen()
    // Where both kinds are chosen, staging is the way on.
    const out = changes.every(({ group }) => group === 'staged')
    await (out ? unstage(changes) : stage(changes))
  },
  'git.discard': () => discard(chosen()),
  'git.stageAll': async () => void (await stageAll()),
  'git.unstageAll': async () => void (await unstageAll()),
  'git.discardAll': discardAll,
  'git.undoDiscard': undoDiscard,
  'git.openChange': (change, run) => run('editor.openPage', changePage(change)),
  'git.stageLines': () => takeLines('stage'),
  'git.unstageLines': () => takeLines('unstage'),
  'git.discardLines': () => takeLines('discard'),
  'git.nextConflict': () => nextConflict(1),
  'git.previousConflict': () => nextConflict(-1),
  'git.branches': () => pickFrom({ kind: 'branches', verb: 'switch' }),
  'git.createBranch': () => createBranch(),
  'git.renameBranch': () => pickFrom({ kind: 'branches', verb: 'rename' }),
  'git.deleteBranch': () => pickFrom({ kind: 'branches', verb: 'delete' }),
  'git.mergeBranch': () => pickFrom({ kind: 'branches', verb: 'merge' }),
  'git.rebaseOnto': () => pickFrom({ kind: 'branches', verb: 'rebase' }),
  'git.tags': () => pickFrom({ kind: 'tags' }),
  'git.remotes': () => pickFrom({ kind: 'remotes' }),
  'git.addRemote': async () => void (await addRemote()),
  'git.sync': sync,
  'git.fetch': async () => void (await fetchAll()),
  'git.pull': async () => void (await pull()),
  'git.pullRebase': async () => void (await pull('rebase')),
  'git.push': async () => void (await push()),
  'git.publish': async () => void (await publish()),
  'git.cancel': () => operations.getState().running.at(-1)?.cancel(),
  'git.continue': () => proceed('continue'),
  'git.skip': () => proceed('skip'),
  'git.abort': () => proceed('abort'),
  'git.stash': makeStash,
  'git.stashes': () => pickFrom({ kind: 'stashes' }),
  'git.worktrees': () => pickFrom({ kind: 'worktrees' }),
  'git.addWorktree': async (_, run) => {
    const folder = await addWorktree(likelyFolder())
    if (folder) await run('app.openFolderAt', { folder })
  },
  'git.log': (_, run) => {
    const { rootId } = here()
    return run('editor.openPage', logPage({ rootId }, statusNow(rootId).branch ?? ''))
  },
  'git.fileHistory': (at, run) => {
    const path = at?.path ?? currentPath()
    const page = path && fileHistoryPage(path)
    if (page) return run('editor.openPage', page)
    toast.info(t('source.noFile'))
  },
  'git.showCommit': ({ rootId, commit }, run) => run('editor.openPage', commitPage(rootId, commit)),
  'git.blame': () => blameShown.set(now => (now === 'all' ? 'off' : 'all')),
  'git.blameLine': () => blameShown.set(now => (now === 'off' ? 'line' : 'off')),
  'git.setIdentity': async () => void (await setIdentity(here().rootId)),
}

/** Beside the repository, called after it. */
function likelyFolder(): string {
  const { top } = statusNow()
  return top ? `${top}-worktree` : ''
}

function focusPane(): void {
  const focus = (tries: number) => {
    const list = document.querySelector<HTMLElement>('[data-git-changes]')
    const target = list ?? document.querySelector<HTMLElement>('[data-git-message]')
    if (target) target.focus()
    else if (tries > 0) requestAnimationFrame(() => focus(tries - 1))
  }
  requestAnimationFrame(() => focus(FRAMES_OF_PATIENCE))
}
