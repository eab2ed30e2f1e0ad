/**
 * Cloning a repository into a new folder. Promise: an address that could start a program is refused before git runs, nobody
 * is asked for a password, and after a failure or a cancel nothing is left of what was made for it.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { isAbsolute, join, normalize, parse } from 'node:path'
import { BelayError } from '#contract/error'
import type { CloneProgress } from '#contract/git'
import type { ChildLedger } from '../base/process-group.ts'
import { explained, shown } from '../workspace/fault.ts'
import { checkNewName } from '../workspace/paths.ts'
import { withHome } from '../workspace/roots.ts'
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
}

const TIMEOUT_MS = 3600_000

export const cloneHandlers = (
  verbs: Verbs,
  { env, ledger }: Pick<CloneSetup, 'env' | 'ledger'>,
): Pick<GitHandlers, 'clone'> => ({
  clone: ({ cloneId, address, into, name = null }, { clientId, signal }) =>
    clone(
      { address, into, name },
      {
        ...{ env, ledger, signal },
        onProgress: progress => verbs.tell('git/cloning', { cloneId, ...progress }, clientId),
      },
    ),
})

/** Answers the new folder, absolute. Throws `invalid`, `already_exists`, `auth`, `network`, `not_found`, `cancelled` with words. */
export async function clone({ address, into, name }: CloneRequest, setup: CloneSetup): Promise<{ folder: string }> {
  const from = checkAddress(address)
  const parent = normalize(withHome(into.trim()))
  if (!isAbsolute(parent) || parent.includes('\0'))
    throw new BelayError('invalid', `${shown(into)} is not an absolute path. Type the whole path, or start it with ~/.`)
  const wanted = name?.trim() || nameOf(from)
  checkNewName(wanted)
  if (/[/\\]/.test(wanted)) throw new BelayError('invalid', 'The name of the new folder has no / in it.')
  const folder = join(parent, wanted)
  const undo = await makeRoom(folder)
  try {
    const tell = createTeller(setup.onProgress)
    // In no repository, and in no folder that could be one.
    const cwd = parse(folder).root
    const answer = await runGit('person', ['clone', '--progress', '--no-recurse-submodules', '--', from, folder], {
      ...{ cwd, ceiling: cwd, env: setup.env, ledger: setup.ledger, signal: setup.signal },
      timeoutMs: TIMEOUT_MS,
      onPrinted: tell,
    })
    if (answer.code !== 0) throw failure(answer.stderr, from)
    return { folder }
  } catch (fault) {
    await undo().catch(() => {})
    throw fault
  }
}

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

const phases: readonly [RegExp, CloneProgress['phase']][] = [
  [/^(remote: )?(Enumerating|Counting|Compressing)/, 'preparing'],
  [/^Receiving/, 'receiving'],
  [/^Resolving/, 'resolving'],
  [/^(Updating|Checking out|Filtering)/, 'checkingOut'],
]
const TELL_EVERY_MS = 100

/** From git's own lines to what is shown: at most ten times a second, and every new phase. */
function createTeller(onProgress: CloneSetup['onProgress']): (text: string) => void {
  let rest = ''
  let told = { phase: '', at: 0 }
  return text => {
    const lines = (rest + text).split(/[\r\n]/)
    rest = lines.pop()?.slice(-500) ?? ''
    for (const line of lines) {
      const phase = phases.find(([pattern]) => pattern.test(line))?.[1]
      if (!phase) continue
      const percent = /(\d+)%/.exec(line)?.[1]
      if (phase === told.phase && Date.now() - told.at < TELL_EVERY_MS) continue
      told = { phase, at: Date.now() }
      onProgress({ phase, percent: percent === undefined ? null : Number(percent) })
    }
  }
}

/** A password in an address is nobody's business. */
const withoutSecrets = (text: string): string => text.replace(/(\w:\/\/)[^\s/@]*@/g, '$1…@')

function failure(stderr: string, address: string): BelayError {
  const where = shown(withoutSecrets(address))
  const lines = withoutSecrets(stderr)
    .split(/[\r\n]+/)
    .filter(line =>
      /^(fatal|error|remote: (?!Counting|Compressing|Total|Enumerating)|ssh:|Permission|Host key)/i.test(line),
    )
  const said = lines
    .slice(-3)
    .join(' ')
    .replace(/[\u0000-\u001f\u007f]/g, ' ')
    .slice(0, 600)
  const nothing = `${where} was not cloned; nothing is left of it.`
  const words = (why: string) => `${nothing} ${why}${said ? ` git says: ${said}` : ''}`
  if (
    /could not read (Username|Password)|Authentication failed|Permission denied|terminal prompts disabled|Host key/i.test(
      said,
    )
  )
    return new BelayError(
      'auth',
      words(
        'The server wants to know who you are, and Belay never asks for passwords. Set up an SSH key or git’s credential helper, clone it once in a terminal, or check the address.',
      ),
    )
  if (
    /Could not resolve host|unable to access|Connection (refused|timed out|reset)|early EOF|Network is unreachable/i.test(
      said,
    )
  )
    return new BelayError('network', words('The server could not be reached. Check the address and the network.'))
  if (/No space left/i.test(said)) return new BelayError('disk_full', words('The disk is full.'))
  if (/not found|does not exist|does not appear to be a git repository|not a git repository/i.test(said))
    return new BelayError('not_found', words('There is no such repository.'))
  return new BelayError('internal', words('git could not do it.'))
}
