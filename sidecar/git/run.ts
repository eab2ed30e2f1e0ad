/**
 * The one way Belay runs git. What a repository's configuration would start stays off (see configuration.ts), nothing prompts
 * on a terminal, reads take no locks and reach no network. Never called for untrusted folders.
 */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import { type ChildLedger, spawnGroup } from '../base/process-group.ts'
import {
  type ConfigEntry,
  type Manner,
  namesOtherEnd,
  parseConfig,
  settingsEnvironment,
  settingsFor,
} from './configuration.ts'

export interface GitOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  /** The folder above which no repository is looked for. */
  ceiling?: string | undefined
  /** Files of the repository's own configuration. */
  configs?: readonly string[] | undefined
  signal?: AbortSignal | undefined
  ledger?: ChildLedger | undefined
  timeoutMs?: number | undefined
  /** Bytes of output after which git is ended; the answer says so. */
  mostBytes?: number | undefined
  input?: string | Uint8Array | undefined
  /** What it prints on its second channel, as it comes: progress, and what hooks say. */
  onPrinted?: ((text: string) => void) | undefined
  /** Of our own making: the askpass, an index file. */
  extra?: Record<string, string> | undefined
}

export interface GitResult {
  /** Null when it was ended. */
  readonly code: number | null
  readonly stdout: Buffer
  /** At most its last 20,000 characters. */
  readonly stderr: string
  readonly cut: boolean
}

const TIMEOUT_MS = 30_000
const MOST_BYTES = 32 * 1024 * 1024
const MOST_PRINTED = 20_000
/** Transports that can be reached at all, through whatever redirect or configuration. */
const TRANSPORTS = 'https:ssh:http:git'
/** Arguments that say what runs at the other end of a fetch and a push, whatever the repository says. */
export const usualUpload = '--upload-pack=git-upload-pack'
export const usualReceive = '--receive-pack=git-receive-pack'

/**
 * Throws `unavailable` when git is not installed, `timeout`, `cancelled`. A failing git is an answer with its code. Names that
 * could be options are the caller's to refuse or to put behind `--`; a path is no pattern, but for `person`, which takes none.
 */
export async function runGit(manner: Manner, args: readonly string[], options: GitOptions): Promise<GitResult> {
  const entries = await configurationOf(options)
  const isLocalSafe = !namesOtherEnd(entries) || args.includes(usualUpload) || args.includes(usualReceive)
  // Hooks, and what a verb itself starts, would inherit that names are no patterns.
  const literal = manner === 'person' ? [] : ['--literal-pathspecs']
  const own = {
    ...settingsEnvironment(settingsFor(manner, entries)),
    ...(manner === 'read' ? { GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1' } : {}),
    GIT_ALLOW_PROTOCOL: manner === 'read' ? 'none' : isLocalSafe ? `file:${TRANSPORTS}` : TRANSPORTS,
  }
  const leavesNothing = manner !== 'person'
  return run(['--no-pager', ...literal, ...args], { ...options, leavesNothing }, own)
}

const known = new Map<string, { entries: Promise<ConfigEntry[]>; mark: string; until: number }>()
/** What a configuration includes is not looked at. */
const BELIEVED_MS = 2000

/** The configuration that counts in a folder, the repository's own part told apart. Empty where git cannot read it. */
export async function configurationOf(options: GitOptions): Promise<ConfigEntry[]> {
  const mark = await markOf(options)
  const before = known.get(options.cwd)
  if (before && before.mark === mark && before.until > Date.now()) return before.entries
  const entries = readConfiguration(options)
  if (known.size > 100) known.clear()
  known.set(options.cwd, { entries, mark, until: Date.now() + BELIEVED_MS })
  entries.catch(() => known.delete(options.cwd))
  return entries
}

/** Differs when a file of the configuration was written. */
async function markOf({ env, configs = [] }: GitOptions): Promise<string> {
  const home = env.HOME ?? env.USERPROFILE ?? ''
  const own = [join(home, '.gitconfig'), join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'git', 'config')]
  const facts = [...configs, ...own, ...(env.GIT_CONFIG_GLOBAL ? [env.GIT_CONFIG_GLOBAL] : [])].map(file =>
    stat(file).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      () => '',
    ),
  )
  return (await Promise.all(facts)).join('\n')
}

async function readConfiguration({ cwd, env, ceiling, ledger }: GitOptions): Promise<ConfigEntry[]> {
  const bare = settingsEnvironment(settingsFor('read', []))
  const verb = ['config', '--list', '--show-scope', '--null']
  const answer = await run(verb, { cwd, env, ceiling, ledger, leavesNothing: true }, bare)
  // What we say ourselves is not what counts here.
  const entries = answer.code === 0 ? parseConfig(answer.stdout.toString('utf8')) : []
  return entries.filter(({ scope }) => scope !== 'command')
}

async function run(
  args: readonly string[],
  options: GitOptions & { leavesNothing: boolean },
  extra: Record<string, string>,
): Promise<GitResult> {
  const { signal, mostBytes = MOST_BYTES, timeoutMs = TIMEOUT_MS } = options
  if (signal?.aborted) throw new BelayError('cancelled', 'Cancelled.')
  const group = spawnGroup('git', [...args], {
    cwd: options.cwd,
    env: { ...environment(options), ...extra, ...options.extra },
    leavesNothing: options.leavesNothing,
    ...(options.ledger ? { ledger: options.ledger } : {}),
    ...(options.input === undefined ? {} : { stdin: 'pipe' as const }),
  })
  group.stdin?.end(options.input)
  let ended: 'cut' | 'timeout' | 'cancelled' | null = null
  const end = (why: NonNullable<typeof ended>) => {
    ended ??= why
    void group.end(500)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const cancel = () => end('cancelled')
  signal?.addEventListener('abort', cancel, { once: true })
  const chunks: Buffer[] = []
  let bytes = 0
  let stderr = ''
  group.stderr.on('data', (chunk: Buffer) => {
    const text = chunk.toString()
    options.onPrinted?.(text)
    stderr = (stderr + text).slice(-MOST_PRINTED)
  })
  try {
    for await (const chunk of group.stdout) {
      if (ended) continue
      bytes += (chunk as Buffer).length
      chunks.push(chunk as Buffer)
      if (bytes > mostBytes) end('cut')
    }
  } catch (fault) {
    if (!ended) throw fault
  }
  const { code } = await group.exited
  clearTimeout(timer)
  signal?.removeEventListener('abort', cancel)
  const why = ended as 'cut' | 'timeout' | 'cancelled' | null
  if (why) await group.end()
  if (why === 'cancelled') throw new BelayError('cancelled', 'Cancelled.')
  if (why === 'timeout')
    throw new BelayError('timeout', `git did not answer within ${timeoutMs / 1000} s and was ended. Try again.`)
  return { code: why ? null : code, stdout: Buffer.concat(chunks), stderr, cut: why === 'cut' }
}

/** Where the person's own configuration and means lie. All else of git's would point it elsewhere or start something. */
const theirs =
  /^GIT_(CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|SSH(_COMMAND|_VARIANT)?|SSL_\w+|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE))$/

function environment({ env, ceiling }: GitOptions): Record<string, string> {
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] =>
      pair[1] !== undefined && (theirs.test(pair[0]) || !/^(GIT_|ELECTRON_|NODE_OPTIONS|BELAY_)/.test(pair[0])),
  )
  return {
    ...Object.fromEntries(kept),
    ...(ceiling === undefined ? {} : { GIT_CEILING_DIRECTORIES: ceiling }),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GIT_PROXY_COMMAND: '',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_SEQUENCE_EDITOR: 'true',
    LC_ALL: 'C.UTF-8',
  }
}
