/**
 * The one way Belay runs git. A repository's own configuration cannot start anything through it: no hooks, no fsmonitor, no
 * external diff, no filters, no prompts, no nested bare repositories; reads take no locks. Never called for untrusted folders.
 */
import { BelayError } from '#contract/error'
import { type ChildLedger, spawnGroup } from '../base/process-group.ts'

export interface GitOptions {
  cwd: string
  env: NodeJS.ProcessEnv
  signal?: AbortSignal
  ledger?: ChildLedger
  timeoutMs?: number
  /** Bytes of output after which git is ended; the answer says so. */
  mostBytes?: number
}

export interface GitResult {
  /** Null when it was ended. */
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
  readonly cut: boolean
}

/** Before every verb. An empty value is git's way of saying "none". */
const settings: readonly (readonly [string, string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null'],
  ['safe.bareRepository', 'explicit'],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['protocol.ext.allow', 'never'],
  ['gpg.program', 'false'],
  ['log.showSignature', 'false'],
]
const flagsOf = (pairs: typeof settings): string[] => pairs.flatMap(([name, value]) => ['-c', `${name}=${value}`])
const safety: readonly string[] = flagsOf(settings)

/** Throws `unavailable` when git is not installed, `timeout`, `cancelled`. A failing git is an answer with its code. */
export async function runGit(args: readonly string[], options: GitOptions): Promise<GitResult> {
  const filters = await ownFilters(options)
  return run([...safety, '--no-pager', '--literal-pathspecs', ...args], options, withoutFilters(filters))
}

/** A clone may reach the person's own servers with the person's own means, as long as none of them asks anything. */
const forClone = [
  ...settings.filter(([name]) => name !== 'core.sshCommand' && name !== 'credential.helper'),
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
] as const
const CLONE_TIMEOUT_MS = 3600_000

/**
 * `address` and `folder` are judged by the caller (clone.ts); no other transport than these can be reached through a
 * redirect or a configuration. `options.cwd` must lie in no repository: its configuration would count.
 */
export function runClone(
  address: string,
  folder: string,
  options: GitOptions & { onProgress(text: string): void },
): Promise<GitResult> {
  const verb = ['clone', '--progress', '--no-recurse-submodules', '--', address, folder]
  return run(
    [...flagsOf(forClone), '--no-pager', ...verb],
    { timeoutMs: CLONE_TIMEOUT_MS, ...options },
    {
      GIT_ALLOW_PROTOCOL: 'https:ssh:file:http:git',
      GIT_CEILING_DIRECTORIES: options.cwd,
      SSH_ASKPASS_REQUIRE: 'never',
      GCM_INTERACTIVE: 'never',
    },
  )
}

const known = new Map<string, { filters: string[]; until: number }>()
const BELIEVED_MS = 2000

/** Filters that the repository itself brings; those of the person's own configuration (LFS) are left alone. */
async function ownFilters(options: GitOptions): Promise<string[]> {
  const before = known.get(options.cwd)
  if (before && before.until > Date.now()) return before.filters
  const query = ['config', '--local', '--includes', '--name-only', '--null', '--get-regexp', '^filter\\.']
  const answer = await run([...safety, ...query], { ...options, mostBytes: 64 * 1024 })
  const names = answer.stdout.toString('utf8').split('\0')
  const filters = [...new Set(names.filter(Boolean).map(name => name.slice(0, name.lastIndexOf('.'))))]
  if (known.size > 100) known.clear()
  known.set(options.cwd, { filters, until: Date.now() + BELIEVED_MS })
  return filters
}

/** By environment, since `-c` cannot name a filter with `=` in its name. */
function withoutFilters(filters: readonly string[]): Record<string, string> {
  const pairs = filters.flatMap(name => [
    ...['clean', 'smudge', 'process'].map(verb => [`${name}.${verb}`, '']),
    [`${name}.required`, 'false'],
  ])
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(pairs.length)],
    ...pairs.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ])
}

async function run(
  args: readonly string[],
  options: GitOptions & { onProgress?(text: string): void },
  extra: Record<string, string> = {},
): Promise<GitResult> {
  const { signal, mostBytes = 32 * 1024 * 1024, timeoutMs = 30_000 } = options
  const group = spawnGroup('git', [...args], {
    cwd: options.cwd,
    env: { ...environment(options.env), ...extra },
    ledger: options.ledger,
  })
  let cut = false
  let timedOut = false
  const end = () => {
    cut = true
    void group.end(500)
  }
  const timer = setTimeout(() => {
    timedOut = true
    end()
  }, timeoutMs)
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const chunks: Buffer[] = []
  let bytes = 0
  let stderr = ''
  group.stderr.on('data', (chunk: Buffer) => {
    const text = chunk.toString()
    options.onProgress?.(text)
    // Of progress only the end matters: there stands what went wrong.
    stderr = options.onProgress ? (stderr + text).slice(-10_000) : (stderr + text).slice(0, 10_000)
  })
  try {
    for await (const chunk of group.stdout) {
      if (cut) continue
      bytes += (chunk as Buffer).length
      chunks.push(chunk as Buffer)
      if (bytes > mostBytes) end()
    }
  } catch (fault) {
    if (!cut) throw fault
  }
  const { code } = await group.exited
  clearTimeout(timer)
  signal?.removeEventListener('abort', end)
  if (signal?.aborted) throw new BelayError('cancelled', 'Cancelled.')
  if (timedOut)
    throw new BelayError(
      'timeout',
      `git did not answer within ${timeoutMs / 1000} s and was ended. Nothing was changed.`,
    )
  return { code: cut ? null : code, stdout: Buffer.concat(chunks), stderr, cut }
}

/** The person's environment without whatever would point git elsewhere or make it start something. */
function environment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !/^(GIT_|ELECTRON_|NODE_OPTIONS|BELAY_)/.test(pair[0]),
  )
  return {
    ...Object.fromEntries(kept),
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ASKPASS: '',
    GIT_PAGER: 'cat',
    LC_ALL: 'C.UTF-8',
  }
}
