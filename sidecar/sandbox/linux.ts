/**
 * A command's arguments for bubblewrap, as sandbox-runtime writes them, and what it leaves to its caller added: a `/tmp` of
 * the session's own, an environment of ours, and no way to set a file's user- or group-id bit.
 *
 * Its manager is one for each process, with one policy, one pair of proxies and one working folder. Here commands of many
 * sessions and folders run at once, each with its own; so this calls the function below the manager, which takes all of that
 * with each call, and hands its words to bubblewrap without a shell in between.
 */
import { existsSync } from 'node:fs'
import { sep } from 'node:path'

export interface Confinement {
  readonly command: string
  /** `bash` or `sh`. */
  readonly shell: string
  /** Absolute, real. */
  readonly writable: readonly string[]
  /** Inside what is writable: existing paths that stay as they are. */
  readonly readOnly: readonly string[]
  /** Cannot be read; existing or not. */
  readonly hidden: readonly string[]
  /** Files that read as empty. */
  readonly masked: readonly string[]
  /** An empty file. */
  readonly emptyFile: string
  /** What the command finds at `/tmp`. Must be among `writable` too. */
  readonly temp: string
  /** Of folders below the machine's own `/tmp` that stay visible, read-only. */
  readonly visible: readonly string[]
  /** The proxy's. */
  readonly socket: string
  readonly env: Readonly<Record<string, string>>
  /** The descriptor of a compiled filter of system calls, in bubblewrap; null for none. */
  readonly filterFd: number | null
}

/** Program and arguments. Rejects where the library cannot write a profile. `release` goes with each that was resolved. */
export async function bubblewrapped(confinement: Confinement): Promise<[string, ...string[]]> {
  const { wrapCommandWithSandboxLinux } = await library()
  const words = await wrapCommandWithSandboxLinux({
    command: confinement.command,
    // The name under which the library would report; it also travels in variables, where a long command would not fit.
    commandId: 'command',
    needsNetworkRestriction: true,
    httpSocketPath: confinement.socket,
    socksSocketPath: confinement.socket,
    readConfig: { denyOnly: [...confinement.hidden], allowWithinDeny: [] },
    writeConfig: { allowOnly: [...confinement.writable], denyWithinAllow: [...confinement.readOnly] },
    maskedFileBinds: confinement.masked.map(realPath => ({ realPath, fakePath: confinement.emptyFile })),
    binShell: confinement.shell,
    // The library's own search looks three folders deep, below the folder this process was started in. Ours looks everywhere.
    ripgrepConfig: { command: '' },
    seccompConfig: unpacked(await seccompHelper()),
  })
  return completed(unquoted(words), confinement)
}

/** Tells the library that a command has ended. */
export async function release(): Promise<void> {
  const { cleanupBwrapMountPoints } = await library()
  cleanupBwrapMountPoints()
}

const library = () => import('@anthropic-ai/sandbox-runtime/dist/sandbox/linux-sandbox-utils.js')

async function seccompHelper(): Promise<string | null> {
  const { getApplySeccompBinaryPath } = await import(
    '@anthropic-ai/sandbox-runtime/dist/sandbox/generate-seccomp-filter.js'
  )
  return getApplySeccompBinaryPath()
}

/** A packaged app's archive holds no programs: they stand beside it. */
const unpacked = (helper: string | null) =>
  helper === null ? undefined : { applyPath: helper.replace(`app.asar${sep}`, `app.asar.unpacked${sep}`) }

/** `... -- shell -c script` ends every profile; later mounts win. */
const TAIL_WORDS = 4

function completed(words: string[], confinement: Confinement): [string, ...string[]] {
  const { temp, visible, socket, env, filterFd } = confinement
  const tail = words.length - TAIL_WORDS
  const root = words.findIndex((word, at) => word === '--ro-bind' && words[at + 1] === '/' && words[at + 2] === '/')
  const [program] = words
  if (program === undefined || root < 0 || words[tail] !== '--')
    throw new Error('The profile of sandbox-runtime does not read as expected, so nothing was run.')
  const shown = visible.filter(folder => folder.startsWith('/tmp/') && existsSync(folder))
  return [
    program,
    ...words.slice(1, root + 3),
    ...['--bind', temp, '/tmp'],
    ...shown.flatMap(folder => ['--ro-bind', folder, folder]),
    ...words.slice(root + 3, tail),
    ...['--bind', socket, socket],
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...(filterFd === null ? [] : ['--seccomp', String(filterFd)]),
    ...words.slice(tail),
  ]
}

/** The words of a line that was written with single quotes, and double ones around a single quote, only. */
export function unquoted(line: string): string[] {
  const words: string[] = []
  let word: string | null = null
  for (let at = 0; at < line.length; ) {
    const sign = line[at] ?? ''
    if (sign === ' ') {
      if (word !== null) words.push(word)
      word = null
      at += 1
    } else if (sign === "'" || sign === '"') {
      const end = line.indexOf(sign, at + 1)
      if (end < 0) throw new Error('A quote is not closed in the profile of sandbox-runtime, so nothing was run.')
      word = (word ?? '') + line.slice(at + 1, end)
      at = end + 1
    } else {
      word = (word ?? '') + sign
      at += 1
    }
  }
  if (word !== null) words.push(word)
  return words
}
