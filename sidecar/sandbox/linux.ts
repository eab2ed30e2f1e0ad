/**
 * A command's arguments for bubblewrap, as sandbox-runtime writes them, and what it leaves to its caller added: a `/tmp` of
 * the session's own, an environment of ours, and no way to set a file's user- or group-id bit.
 *
 * Its manager is one for each process, with one policy, one pair of proxies and one working folder. Here commands of many
 * sessions and folders run at once, each with its own; so this calls the function below the manager, which takes all of that
 * with each call, and hands its words to bubblewrap without a shell in between.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { outsideArchive } from '../base/node-program.ts'
import type { JailNetwork } from './network.ts'
import { setIdFilter } from './set-id-filter.ts'

export interface Confinement {
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
  /** Where its proxy listens. */
  readonly proxy: JailNetwork['at']
  readonly env: Readonly<Record<string, string>>
  /** The descriptor of a compiled filter of system calls, in bubblewrap; null for none. */
  readonly filterFd: number | null
}

/** What differs between the platforms that have a jail. */
export interface Backend {
  /** How a command gets at its proxy. */
  readonly lends: 'socket' | 'port'
  /** Places that do not exist are held by something that stands there: a mount needs a ground. */
  readonly needsPlaceholders: boolean
  /** Program and arguments. Rejects where the library cannot write a profile. `release` goes with each that was resolved. */
  wrap(confinement: Confinement): Promise<[string, ...string[]]>
  /** Tells the library that a command has ended. */
  release(): Promise<void>
  /** The filter of system calls, compiled; null where the platform has none or needs none. */
  filter(): Buffer | null
}

export const linuxBackend: Backend = {
  lends: 'socket',
  needsPlaceholders: true,
  wrap: bubblewrapped,
  release: async () => (await library()).cleanupBwrapMountPoints(),
  filter: () => setIdFilter(process.arch, process.getuid?.() === 0),
}

/** In the environment, the text of a command is neither quoted four times over nor limited by that. */
export const COMMAND_VARIABLE = 'BELAY_COMMAND'
export const runCommand = (shell: string): string =>
  `c=$${COMMAND_VARIABLE}; unset ${COMMAND_VARIABLE}; exec ${shell} -c "$c"`

/**
 * The library starts what leads to the proxy, two listeners, beside the command and does not wait for it: a connection that
 * comes at once would find nothing there. Nothing else listens in a network that is new, so they are counted; to read
 * `/proc/net/tcp` instead takes 13 ms. In a subshell: the command sees no variable of it.
 */
const PROXY_IS_UP =
  '(i=0; while [ $i -lt 500 ]; do u=0; for f in /proc/net/sockstat /proc/net/sockstat6; do while read -r w x n z; do case $w in TCP*) u=$((u+n));; esac; done <$f; done; [ $u -ge 2 ] && exit; i=$((i+1)); sleep 0.002; done) 2>/dev/null'

async function bubblewrapped(confinement: Confinement): Promise<[string, ...string[]]> {
  const { wrapCommandWithSandboxLinux } = await library()
  if (!('socket' in confinement.proxy)) throw new Error('A jail of Linux lends a socket.')
  const { socket } = confinement.proxy
  const found = await seccompHelper()
  const helper = found === null ? undefined : { applyPath: outsideArchive(found) }
  // Belay itself may be installed below the machine's own `/tmp`.
  const visible = [...confinement.visible, ...(helper ? [dirname(helper.applyPath)] : [])]
  const words = await wrapCommandWithSandboxLinux({
    command: `${PROXY_IS_UP}; ${runCommand(confinement.shell)}`,
    // The name under which the library would report; it also travels in variables, where a long command would not fit.
    commandId: 'command',
    needsNetworkRestriction: true,
    httpSocketPath: socket,
    socksSocketPath: socket,
    readConfig: { denyOnly: [...confinement.hidden], allowWithinDeny: [] },
    writeConfig: { allowOnly: [...confinement.writable], denyWithinAllow: [...confinement.readOnly] },
    maskedFileBinds: confinement.masked.map(realPath => ({ realPath, fakePath: confinement.emptyFile })),
    binShell: confinement.shell,
    // The library's own search looks three folders deep, below the folder this process was started in. Ours looks everywhere.
    ripgrepConfig: { command: '' },
    seccompConfig: helper,
  })
  return completed(unquoted(words), { ...confinement, visible }, socket)
}

const library = () => import('@anthropic-ai/sandbox-runtime/dist/sandbox/linux-sandbox-utils.js')

async function seccompHelper(): Promise<string | null> {
  const { getApplySeccompBinaryPath } = await import(
    '@anthropic-ai/sandbox-runtime/dist/sandbox/generate-seccomp-filter.js'
  )
  return getApplySeccompBinaryPath()
}

/** `... -- shell -c script` ends every profile; later mounts win. */
const TAIL_WORDS = 4

function completed(words: string[], confinement: Confinement, socket: string): [string, ...string[]] {
  const { temp, visible, env, filterFd } = confinement
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
    '--',
    ...innermost(words.slice(tail + 1)),
  ]
}

/** The library's script is started by a shell that does nothing else: one start less. */
function innermost(shell: string[]): string[] {
  const inner = unquoted(shell.at(-1) ?? '')
  return inner.length === 3 && inner[1] === '-c' ? inner : shell
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
