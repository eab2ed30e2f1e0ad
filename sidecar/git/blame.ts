/** Who wrote which line, in pages of lines. */
import { BelayError } from '#contract/error'
import type { GitBlame } from '#contract/git'
import type { Repository } from './repository.ts'
import type { GitHandlers, Verbs } from './verbs.ts'

const PAGE = 2000
const TIMEOUT_MS = 120_000

export const blameHandlers = (verbs: Verbs): Pick<GitHandlers, 'blame'> => ({
  async blame({ path, at, line, text, ...here }, { signal }) {
    const repository = await verbs.read(here)
    const name = await repository.toName(path)
    const from = text === undefined ? (at === undefined ? [] : [at]) : ['--contents', '-']
    const args = ['blame', '--incremental', '--no-textconv', '--no-ext-diff', '-L', `${line},+${PAGE}`]
    const options = { signal, timeoutMs: TIMEOUT_MS, ...(text === undefined ? {} : { input: text }) }
    const answer = await repository.run('read', [...args, ...from, '--', name], options)
    if (answer.code === 0) return parseBlame(answer.stdout.toString('utf8'), line, repository.toPath)
    if (/has only \d+ lines?/.test(answer.stderr)) return { runs: [], commits: {}, nextLine: null }
    throw new BelayError(
      'not_found',
      'Git knows no history of this file there: it is not committed yet, or not in that commit.',
    )
  },
})

/** Reads `git blame --incremental`: a run of lines each, the facts of a commit once. Pure. */
export function parseBlame(output: string, first: number, toPath: Repository['toPath']): GitBlame {
  const blame: GitBlame = { runs: [], commits: {}, nextLine: null }
  let commit = ''
  for (const line of output.split('\n')) {
    const [, oid, original, start, count] = /^([0-9a-f]{40,64}) (\d+) (\d+) (\d+)$/.exec(line) ?? []
    if (oid) {
      commit = oid
      blame.runs.push({ start: Number(start), count: Number(count), commit, originalLine: Number(original) })
      blame.commits[oid] ??= { author: { name: '', email: '' }, at: 0, subject: '', path: null }
      continue
    }
    const facts = blame.commits[commit]
    const space = line.indexOf(' ')
    if (!facts || space < 0) continue
    const value = line.slice(space + 1)
    const key = line.slice(0, space)
    if (key === 'author') facts.author.name = value
    else if (key === 'author-mail') facts.author.email = value.replace(/^<|>$/g, '')
    else if (key === 'author-time') facts.at = Number(value)
    else if (key === 'summary') facts.subject = value
    else if (key === 'filename') facts.path = toPath(value)
  }
  blame.runs.sort((a, b) => a.start - b.start)
  const last = blame.runs.at(-1)
  if (last && last.start + last.count === first + PAGE) blame.nextLine = first + PAGE
  return blame
}
