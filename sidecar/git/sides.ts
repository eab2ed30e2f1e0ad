/** Sides of a file: its bytes there, and what git is asked for the difference of two. */
import { lstat, readFile, readlink, stat } from 'node:fs/promises'
import { BelayError } from '#contract/error'
import type { GitSide } from '#contract/git'
import { absoluteOf, type Repository } from './repository.ts'

export const MOST_BYTES = 5 * 1024 * 1024

/** Bytes of a side, or why there are none. */
export type SideContent =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly mode: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'tooLarge'; readonly bytes: number }
  | { readonly kind: 'submodule'; readonly commit: string }

const stages = { index: 0, base: 1, ours: 2, theirs: 3 } as const

/** The work tree's as they lie there; else as git stores them. */
export async function contentOf(repository: Repository, name: string, side: GitSide): Promise<SideContent> {
  if (side === 'nothing') return { kind: 'missing' }
  if (side === 'worktree') return inWorkTree(absoluteOf(repository, name))
  const entry =
    side === 'head' || typeof side === 'object'
      ? await inTree(repository, name, typeof side === 'object' ? side.commit : 'HEAD')
      : await inIndex(repository, name, stages[side])
  if (!entry) return { kind: 'missing' }
  if (entry.mode === '160000') return { kind: 'submodule', commit: entry.oid }
  const blob = await repository.run('read', ['cat-file', 'blob', entry.oid], { mostBytes: MOST_BYTES })
  if (blob.cut) return { kind: 'tooLarge', bytes: await sizeOf(repository, entry.oid) }
  if (blob.code !== 0)
    throw new BelayError('not_found', 'Git has lost the content of that file. “git fsck” tells more.')
  return { kind: 'bytes', bytes: blob.stdout, mode: entry.mode }
}

interface Entry {
  readonly mode: string
  readonly oid: string
}

async function inTree(repository: Repository, name: string, commit: string): Promise<Entry | null> {
  const answer = await repository.run('read', ['ls-tree', '-z', '--full-tree', commit, '--', name])
  const [, mode, oid] = /^(\d{6}) \w+ ([0-9a-f]+)\t/.exec(answer.stdout.toString('latin1')) ?? []
  return answer.code === 0 && mode && oid && mode !== '040000' ? { mode, oid } : null
}

/** Of a file in the index, at one of its stages; 0 where it is in no conflict. */
export async function inIndex(repository: Repository, name: string, stage: number): Promise<Entry | null> {
  const answer = await repository.run('read', ['ls-files', '--stage', '-z', '--full-name', '--', name])
  for (const record of answer.stdout.toString('utf8').split('\0')) {
    const [, mode, oid, at, path] = /^(\d{6}) ([0-9a-f]+) (\d)\t(.*)$/s.exec(record) ?? []
    if (mode && oid && path === name && Number(at) === stage) return { mode, oid }
  }
  return null
}

async function sizeOf(repository: Repository, oid: string): Promise<number> {
  const answer = await repository.run('read', ['cat-file', '-s', oid])
  return Number(answer.stdout.toString('latin1')) || 0
}

async function inWorkTree(absolute: string): Promise<SideContent> {
  const facts = await lstat(absolute).catch(() => null)
  if (!facts) return { kind: 'missing' }
  if (facts.isSymbolicLink()) return { kind: 'bytes', bytes: Buffer.from(await readlink(absolute)), mode: '120000' }
  if (facts.isDirectory()) return { kind: 'submodule', commit: '' }
  if (facts.size > MOST_BYTES) return { kind: 'tooLarge', bytes: facts.size }
  return { kind: 'bytes', bytes: await readFile(absolute), mode: facts.mode & 0o100 ? '100755' : '100644' }
}

const options = [
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--full-index', '--unified=3', '--inter-hunk-context=0'],
  ...['--ignore-submodules=dirty', '--submodule=short', '--diff-algorithm=histogram', '--indent-heuristic'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--no-relative'],
]
const diffVerb = ['-c', 'diff.suppressBlankEmpty=false', 'diff', ...options]

/** `oldName`: what the file is called on the side `from`. Throws `invalid` for sides that have no difference in git. */
export async function diffOutput(
  repository: Repository,
  { name, oldName, from, to }: { name: string; oldName?: string | undefined; from: GitSide; to: GitSide },
): Promise<{ output: Buffer; cut: boolean }> {
  const names = oldName === undefined || oldName === name ? ['--no-renames', '--', name] : ['-M1%', '--', oldName, name]
  const args = await argumentsFor(repository, name, from, to, names)
  const { stdout, cut, code, stderr } = await repository.run('read', args, { mostBytes: 2 * MOST_BYTES })
  // `--no-index` says by 1 that there is a difference.
  if (!cut && code !== 0 && code !== 1) {
    if (/unknown revision|bad revision|bad object|ambiguous argument/.test(stderr))
      throw new BelayError('not_found', 'There is no such commit (any more).')
    throw new BelayError('internal', `Git could not compare the file: ${stderr.trim().slice(0, 500)}`)
  }
  return { output: stdout, cut }
}

async function argumentsFor(
  repository: Repository,
  name: string,
  from: GitSide,
  to: GitSide,
  names: readonly string[],
): Promise<string[]> {
  const blobs = ['base', 'ours', 'theirs'] as const
  const blob = (side: GitSide) => blobs.find(each => each === side)
  const [fromBlob, toBlob] = [blob(from), blob(to)]
  if (fromBlob && toBlob) return [...diffVerb, `:${stages[fromBlob]}:${name}`, `:${stages[toBlob]}:${name}`]
  if (fromBlob && to === 'worktree') return [...diffVerb, `--${fromBlob}`, ...names]
  if (from === 'index' && to === 'worktree') {
    const tracked = (await inIndex(repository, name, 0)) ?? (await inIndex(repository, name, 2))
    return tracked ? [...diffVerb, '--ours', ...names] : untracked(repository, name)
  }
  if (from === 'nothing' && to === 'worktree') return untracked(repository, name)
  const commit = await revisionOf(repository, from)
  if (commit === null || toBlob) throw new BelayError('invalid', 'Git does not compare these two sides.')
  if (to === 'worktree') return [...diffVerb, commit, ...names]
  if (to === 'index') return [...diffVerb, '--cached', commit, ...names]
  const other = await revisionOf(repository, to)
  if (other === null) throw new BelayError('invalid', 'Git does not compare these two sides.')
  return [...diffVerb, commit, other, ...names]
}

/** Against nothing; a file that is not there either has no difference. */
async function untracked(repository: Repository, name: string): Promise<string[]> {
  const there = await stat(absoluteOf(repository, name)).catch(() => null)
  return there?.isFile()
    ? [...diffVerb, '--no-index', '--', process.platform === 'win32' ? 'NUL' : '/dev/null', name]
    : [...diffVerb, '--', name]
}

/** The empty tree where there is nothing yet. */
async function revisionOf(repository: Repository, side: GitSide): Promise<string | null> {
  if (typeof side === 'object') return side.commit
  if (side === 'head' && (await hasHead(repository))) return 'HEAD'
  return side === 'head' || side === 'nothing' ? emptyTree(repository) : null
}

export const hasHead = async (repository: Repository): Promise<boolean> =>
  (await repository.run('read', ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])).code === 0

/** Its name depends on how the repository hashes. */
async function emptyTree(repository: Repository): Promise<string> {
  const answer = await repository.run('read', ['hash-object', '-t', 'tree', '--stdin'], { input: '' })
  return answer.stdout.toString('latin1').trim()
}
