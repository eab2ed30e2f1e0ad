/** A trusted folder opened as the core opens it, with real git below, for the tests of every family of verbs. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { GitRefusal } from '#contract/git'
import type { RootId, WorkspaceId } from '#contract/id'
import { foldersOf } from '../base/folders.ts'
import { createWorkspaces } from '../workspace/service.ts'
import { createGit } from './service.ts'
import type { WriteMessage } from './write-message.ts'

/** In memory where there is such a place. */
const fast = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export interface Told {
  readonly name: string
  // biome-ignore lint/suspicious/noExplicitAny: events of every shape, compared as they are
  readonly payload: any
  readonly clientId: string | undefined
}

/** `start: false`: the folder is no repository yet. `trusted: false`: as it is when a folder is opened first. */
export async function createRig({
  start = true,
  trusted = true,
  below = '',
  writeMessage = (async () => null) as WriteMessage,
} = {}) {
  const base = await realpath(await mkdtemp(join(fast, 'belay-git-')))
  const home = join(base, 'home')
  const top = join(base, 'project')
  const folder = join(top, below)
  await mkdir(folder, { recursive: true })
  await mkdir(home)
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1', TMPDIR: base }
  await writeFile(
    join(home, '.gitconfig'),
    '[user]\n\tname = Tess\n\temail = tess@example.org\n[init]\n\tdefaultBranch = main\n[core]\n\tautocrlf = false\n',
  )
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 20_000, encoding: 'utf8' })
  const git = (...args: string[]) => gitIn(top, ...args)
  if (start) git('init', '-q', '-b', 'main')

  const told: Told[] = []
  const log = () => {}
  const folders = foldersOf({ BELAY_HOME: join(base, 'belay') })
  const workspaces = createWorkspaces({ folders, log, env })
  const service = createGit({
    ...{ env, log, folders, writeMessage },
    workspace: workspaces.get,
    workspaces: workspaces.all,
    trusted: workspaces.isTrusted,
    tell: (name, payload, clientId) => void told.push({ name, payload, clientId }),
  })
  workspaces.events.on(({ name, payload }) => {
    if (name === 'workspace/changed' || name === 'workspace/updated')
      service.changed((payload as { workspaceId: WorkspaceId }).workspaceId)
  })
  const context = { clientId: 'one', signal: new AbortController().signal }
  const info = await workspaces.handlers.workspace.open({ folder }, context)
  await workspaces.get(info.workspaceId as WorkspaceId).ready
  const workspaceId = info.workspaceId as WorkspaceId
  const trust = (wanted: boolean) => workspaces.handlers.workspace.trust({ workspaceId, trusted: wanted }, context)
  if (trusted) await trust(true)
  const rootId = info.roots[0]?.rootId as RootId
  const place = (path: string) => join(folder, path)

  return {
    ...{ base, home, folder, top, env, git, gitIn, told, context, workspaces, workspaceId, rootId, trust },
    here: { workspaceId, rootId, inside: '' },
    handlers: service.handlers,
    worktrees: service.worktrees,
    read: (path: string) => readFile(place(path), 'utf8'),
    async write(path: string, content: string | Uint8Array, mode?: number) {
      await mkdir(dirname(place(path)), { recursive: true })
      await writeFile(place(path), content)
      if (mode !== undefined) await chmod(place(path), mode)
    },
    /** Everything that lies there now, as one commit. */
    commit(message = 'a commit'): string {
      git('add', '--all')
      git('commit', '-q', '--allow-empty', '-m', message)
      return git('rev-parse', 'HEAD').trim()
    },
    /** The text of a file in the index; null where there is none. */
    staged(path: string): string | null {
      try {
        return git('cat-file', 'blob', `:${path}`)
      } catch {
        return null
      }
    },
    gitRaw: (...args: string[]): Buffer => execFileSync('git', args, { cwd: top, env, stdio: 'pipe', timeout: 20_000 }),
    /** `XY path` as `git status --short` has it, sorted. */
    short: () =>
      git('-c', 'core.quotePath=false', 'status', '--short', '--untracked-files=all')
        .split('\n')
        .filter(Boolean)
        .sort(),
    /** A program that leaves its name in `ran()`. */
    async bait(name: string, text = ''): Promise<string> {
      const file = join(base, name)
      await writeFile(file, `#!/bin/sh\necho "${name} $*" >> '${join(base, 'ran')}'\n${text}\n`, { mode: 0o755 })
      return file
    },
    ran: () =>
      readFile(join(base, 'ran'), 'utf8').then(
        text => text.split('\n').filter(Boolean),
        () => [],
      ),
    async end() {
      await service.dispose()
      await workspaces.dispose()
      await rm(base, { recursive: true, force: true })
    },
  }
}
export type Rig = Awaited<ReturnType<typeof createRig>>

export async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited in vain: ${what}`)
    await after(15)
  }
}

/** The refusal; throws where it went well. */
export function refused(outcome: { ok: true } | GitRefusal): GitRefusal {
  if (outcome.ok) throw new Error(`was not refused: ${JSON.stringify(outcome)}`)
  return outcome
}
/** What it answered; throws the words of a refusal. */
export function done<T extends { ok: boolean }>(outcome: T): Extract<T, { ok: true }> {
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome)}`)
  return outcome as Extract<T, { ok: true }>
}
