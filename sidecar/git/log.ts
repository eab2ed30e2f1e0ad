/** The list of commits, in pages, whole or of a path; and one commit in detail. */
import { BelayError } from '#contract/error'
import type { GitCommit, GitRef } from '#contract/git'
import { changedFiles, MOST_CHANGED_FILES } from './commit-files.ts'
import { commitOf } from './operation.ts'
import type { Repository } from './repository.ts'
import { hasHead } from './sides.ts'
import type { GitHandlers, Verbs } from './verbs.ts'

type Wish = Parameters<GitHandlers['log']>[0]

export const logHandlers = (verbs: Verbs): Pick<GitHandlers, 'log' | 'commitDetails'> => ({
  async log(wish) {
    const repository = await verbs.read(wish)
    const named = /^[0-9a-f]{4,64}$/i.test(wish.text ?? '') ? await commitOf(repository, wish.text ?? '') : null
    if (named !== null) {
      const commits = wish.skip === 0 ? await listed(repository, ['--max-count=1', named]) : []
      return { commits, more: false }
    }
    if (wish.of === 'head' && !(await hasHead(repository))) return { commits: [], more: false }
    const commits = await listed(repository, await argumentsFor(repository, wish), wish.follow)
    return { commits: commits.slice(0, wish.limit), more: commits.length > wish.limit }
  },
  async commitDetails({ commit, ...here }) {
    const repository = await verbs.read(here)
    const oid = await commitOf(repository, commit)
    if (oid === null) throw new BelayError('not_found', 'There is no such commit (any more). Look at the list again.')
    const person = ['log', '-1', '--no-show-signature', '--encoding=UTF-8', '--format=%cn%x00%ce%x00%B', oid]
    const parent = await commitOf(repository, `${oid}^1`)
    const [[found], said, raw, files] = await Promise.all([
      listed(repository, ['--max-count=1', oid]),
      repository.run('read', person),
      repository.run('read', ['cat-file', 'commit', oid]),
      changedFiles(repository, parent, oid),
    ])
    if (!found)
      throw new BelayError('not_found', 'Git could not read that commit. “git fsck” in a terminal tells more.')
    const [name = '', email = '', message = ''] = said.stdout.toString('utf8').split('\0')
    const header = raw.stdout.toString('utf8').split('\n\n', 1)[0] ?? ''
    return {
      commit: found,
      committer: { name, email },
      message: message.trimEnd(),
      signed: /^gpgsig(-sha256)? /m.test(header),
      files: files.slice(0, MOST_CHANGED_FILES),
      truncated: files.length > MOST_CHANGED_FILES,
    }
  },
})

async function argumentsFor(repository: Repository, wish: Wish): Promise<string[]> {
  const { of, path, follow, author, text, skip, limit } = wish
  const start = of === 'all' ? ['HEAD', '--branches', '--remotes', '--tags'] : [of === 'head' ? 'HEAD' : of]
  const isWhole = path === undefined && !author && !text
  return [
    `--skip=${skip}`,
    `--max-count=${limit + 1}`,
    ...(isWhole ? ['--topo-order'] : []),
    ...(author || text ? ['--fixed-strings', '--regexp-ignore-case'] : []),
    ...(author ? [`--author=${author}`] : []),
    ...(text ? [`--grep=${text}`] : []),
    ...(follow && path !== undefined ? ['--follow', '--name-status', '--find-renames'] : []),
    ...(of === 'all' && !(await hasHead(repository)) ? start.slice(1) : start),
    '--',
    ...(path === undefined ? [] : [await repository.toName(path)]),
  ]
}

const fields = ['%H', '%P', '%an', '%ae', '%at', '%ct', '%s', '%D']
const logVerb = [
  ...['log', '-z', '--no-show-signature', '--encoding=UTF-8', '--decorate=full', '--no-ext-diff', '--no-textconv'],
  `--format=${fields.map(field => `${field}%x00`).join('')}`,
]

async function listed(repository: Repository, args: readonly string[], withPaths = false): Promise<GitCommit[]> {
  const answer = await repository.run('read', [...logVerb, ...args], { timeoutMs: 60_000 })
  if (answer.code === 0) return parseLog(answer.stdout.toString('utf8'), withPaths ? repository.toPath : null)
  if (/unknown revision|bad revision|ambiguous argument/.test(answer.stderr))
    throw new BelayError('not_found', 'There is no such branch or commit (any more). Look at the list again.')
  throw new BelayError('internal', `Git could not list the commits: ${answer.stderr.trim().slice(0, 500)}`)
}

/** `toPath`: where the status of one file follows each commit. Pure. */
export function parseLog(output: string, toPath: Repository['toPath'] | null): GitCommit[] {
  const parts = output.split('\0')
  const commits: GitCommit[] = []
  for (let at = 0; at + fields.length < parts.length; ) {
    const [oid = '', parents = '', name = '', email = '', authored, committed, subject = '', refs = ''] =
      parts.slice(at)
    at += fields.length + 1
    const commit: GitCommit = {
      ...{ oid, subject, refs: refsOf(refs), author: { name, email } },
      parents: parents.split(' ').filter(Boolean),
      authoredAt: Number(authored),
      committedAt: Number(committed),
    }
    for (let found = statusAt(parts, at); toPath && found; found = statusAt(parts, at)) {
      commit.path = toPath(found.name)
      at = found.next
    }
    commits.push(commit)
  }
  return commits
}

function statusAt(parts: readonly string[], at: number): { name: string; next: number } | null {
  const letter = /^\n?([A-Z])\d*$/.exec(parts[at] ?? '')?.[1]
  if (!letter) return null
  const next = at + (letter === 'R' || letter === 'C' ? 3 : 2)
  return { name: parts[next - 1] ?? '', next }
}

/** `HEAD -> refs/heads/main, tag: refs/tags/v1`; a name of a ref has neither comma nor space in it. */
function refsOf(decoration: string): GitRef[] {
  return decoration
    .split(', ')
    .filter(Boolean)
    .map((text): GitRef => {
      const ref = text.replace(/^(HEAD -> |tag: )/, '')
      const [, kind, name] = /^refs\/(heads|remotes|tags)\/(.+)$/.exec(ref) ?? []
      if (kind === 'heads')
        return { kind: 'branch', name: name ?? '', ...(text.startsWith('HEAD -> ') ? { current: true } : {}) }
      if (kind === 'remotes') return { kind: 'remote', name: name ?? '' }
      if (kind === 'tags') return { kind: 'tag', name: name ?? '' }
      return {
        kind: ref === 'HEAD' ? 'head' : ref === 'refs/stash' ? 'stash' : 'other',
        name: ref.replace(/^refs\//, ''),
      }
    })
}
