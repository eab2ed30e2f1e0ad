/**
 * Cloning a repository into a new folder. Promise: an address that could start a program is refused before git runs, and after
 * a failure or a cancel nothing is left of what was made for it.
 */
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, normalize, parse } from 'node:path'
import { BelayError } from '#contract/error'
import type { CloneProgress } from '#contract/git'
import type { Root } from '#contract/workspace'
import type { ChildLedger } from '../base/process-group.ts'
import { withHome } from '../base/with-home.ts'
import { explained, shown } from '../workspace/fault.ts'
import { checkNewName } from '../workspace/paths.ts'
import { createTeller, type Progress } from './progress.ts'
import { reachReason } from './reach.ts'
import { mainLines, withoutPasswords } from './refusal.ts'
import { runGit } from './run.ts'
import type { GitHandlers, Verbs } from './verbs.ts'

export interface CloneRequest {
  /** https, ssh, git, file, `user@host:path`, or an absolute path. */
  readonly address: string
  /** The folder that the new one goes into; made when it is missing. */
  readonly into: string
  /** Of the new folder; by the address when null. */
  readonly name: string | null
}

export interface CloneSetup {
  env: NodeJS.ProcessEnv
  ledger?: ChildLedger
  signal: AbortSignal
  onProgress(progress: Omit<CloneProgress, 'cloneId'>): void
  /** Of the open workspaces, in which this real path lies. */
  readOnlyRoot(absolute: string): Root | null
  /** The environment in which git and ssh ask the person; without it they ask nobody. */
  extra?: Record<string, string>
}

const TIMEOUT_MS = 3600_000

export const cloneHandlers = (
  verbs: Verbs,
  { env, ledger, readOnlyRoot }: Pick<CloneSetup, 'env' | 'ledger' | 'readOnlyRoot'>,
): Pick<GitHandlers, 'clone'> => ({
  clone: ({ cloneId, address, into, name = null }, context) =>
    verbs.asking(cloneId, context, extra =>
      clone(
        { address, into, name },
        {
          ...{ env, ledger, readOnlyRoot, extra, signal: context.signal },
          onProgress: progress => verbs.tell('git/cloning', { cloneId, ...progress }, context.clientId),
        },
      ),
    ),
})

/** Answers the new folder, absolute. Throws `invalid`, `read_only`, `already_exists`, `auth`, `network`, `not_found`, `cancelled` with words. */
export async function clone({ address, into, name }: CloneRequest, setup: CloneSetup): Promise<{ folder: string }> {
  const from = checkAddress(address)
  const parent = normalize(withHome(into.trim()))
  if (!isAbsolute(parent) || parent.includes('\0'))
    throw new BelayError('invalid', `${shown(into)} is not an absolute path. Type the whole path, or start it with ~/.`)
  const wanted = name?.trim() || nameOf(from)
  checkNewName(wanted)
  if (/[/\\]/.test(wanted)) throw new BelayError('invalid', 'The name of the new folder has no / in it.')
  const folder = join(parent, wanted)
  const closed = setup.readOnlyRoot(await realOf(folder))
  if (closed)
    throw new BelayError(
      'read_only',
      `Nothing was cloned: ${shown(closed.name)} is a read-only folder of an open workspace. Choose another folder, or take its mark “Read-only” off first.`,
    )
  const undo = await makeRoom(folder)
  try {
    const tell = createTeller(({ phase, percent }) => {
      if (isClonePhase(phase)) setup.onProgress({ phase, percent })
    })
    // In no repository, and in no folder that could be one.
    const cwd = parse(folder).root
    const answer = await runGit('person', ['clone', '--progress', '--no-recurse-submodules', '--', from, folder], {
      ...{ cwd, ceiling: cwd, env: setup.env, ledger: setup.ledger, signal: setup.signal },
      ...{ timeoutMs: TIMEOUT_MS, extra: setup.extra },
      onPrinted: tell,
    })
    if (answer.code !== 0) throw failure(answer.stderr, from)
    return { folder }
  } catch (fault) {
    await undo().catch(() => {})
    throw fault
  }
}

const isClonePhase = (phase: Progress['phase']): phase is CloneProgress['phase'] =>
  phase === 'preparing' || phase === 'receiving' || phase === 'resolving' || phase === 'checkingOut'

/** Throws `invalid` for what git would take for an option, a program to run, or something relative to nowhere. */
export function checkAddress(typed: string, what = 'Nothing was cloned'): string {
  const address = typed.trim()
  const refuse = (why: string) => new BelayError('invalid', `${what}: ${why}`)
  if (address === '') throw refuse('type the address of a repository.')
  if (/[\u0000-\u001f\u007f]/.test(address)) throw refuse('an address has no line breaks or control characters in it.')
  if (address.startsWith('-')) throw refuse('an address does not begin with “-”.')
  if (/^[^/\\[]*::/.test(address))
    throw refuse('addresses with “::” start a program on this machine; they are not taken.')
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase()
  if (scheme) {
    if (!['https', 'http', 'ssh', 'git', 'file'].includes(scheme))
      throw refuse(`${shown(`${scheme}://`)} is not taken. Use https, ssh, git or file.`)
    if (/^[a-z]+:\/\/([^/@]*@)?-/i.test(address)) throw refuse('the name of a server does not begin with “-”.')
    return address
  }
  const local = withHome(address)
  if (isAbsolute(local)) return local
  // `user@host:path`, as ssh has it.
  if (/^([\w.-]+@)?[A-Za-z0-9][\w.-]*:[^-]/.test(address)) return address
  throw refuse('type a whole address (https://…, git@host:path) or an absolute path.')
}

/** The last part of the address without `.git`, as git itself would name the folder. */
export function nameOf(address: string): string {
  const parts = address
    .replace(/[?#].*$/, '')
    .replace(/[/\\]+$/, '')
    .replace(/[/\\]\.git$/, '')
    .split(/[/\\:]/)
  return (parts.at(-1) ?? '').replace(/\.(git|bundle)$/, '') || 'repository'
}

/** What is not there yet lies where its nearest folder does. */
async function realOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null)
  const above = dirname(path)
  return real ?? (above === path ? path : join(await realOf(above), basename(path)))
}

/** The empty folder, and how to take away what was made for it. Throws `already_exists` where something is in it. */
async function makeRoom(folder: string): Promise<() => Promise<void>> {
  const what = `Could not clone into ${shown(folder)}`
  let made: string | undefined
  try {
    made = await mkdir(folder, { recursive: true })
  } catch (fault) {
    throw explained(fault, what)
  }
  if (made !== undefined) return () => rm(made, { recursive: true, force: true, maxRetries: 3 })
  const there = await readdir(folder).catch(fault => {
    throw explained(fault, what)
  })
  if (there.length > 0)
    throw new BelayError(
      'already_exists',
      `${what}: something is there already. Nothing was changed; choose another name or folder.`,
    )
  return async () => {
    for (const each of await readdir(folder)) await rm(join(folder, each), { recursive: true, force: true })
  }
}

function failure(stderr: string, address: string): BelayError {
  if (/No space left/i.test(stderr))
    return new BelayError('disk_full', `Not cloned; nothing is left of it. The disk is full.`)
  const where = shown(withoutPasswords(address))
  const said = mainLines(stderr)
  const words = (why: string) =>
    `${where} was not cloned; nothing is left of it. ${why}${said ? ` Git says: ${said}` : ''}`
  const reason = reachReason(stderr)
  if (reason === 'auth')
    return new BelayError(
      'auth',
      words(
        'The server did not let you in: it did not take who you are, or nobody answered. Try again, or set up an SSH key or git’s credential helper.',
      ),
    )
  if (reason === 'network')
    return new BelayError('network', words('The server could not be reached. Check the address and the network.'))
  if (reason === 'missing') return new BelayError('not_found', words('There is no such repository.'))
  return new BelayError('internal', words('Git could not do it.'))
}
