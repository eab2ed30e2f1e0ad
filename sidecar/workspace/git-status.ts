/** Reads `git status --porcelain=v2 -z --branch`. Pure; unknown lines are skipped. */
import type { GitFileState } from '#contract/git'

export interface ParsedStatus {
  branch: string | null
  ahead: number
  behind: number
  /** Paths relative to the repository's top, as git says them. */
  files: { path: string; state: GitFileState; staged: boolean }[]
  truncated: boolean
}

export function parseStatus(output: string, mostFiles: number): ParsedStatus {
  const status: ParsedStatus = { branch: null, ahead: 0, behind: 0, files: [], truncated: false }
  let commit = ''
  const records = output.split('\0')
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ''
    if (record.startsWith('# branch.oid ')) commit = record.slice(13)
    else if (record.startsWith('# branch.head ')) status.branch = record.slice(14)
    else if (record.startsWith('# branch.ab ')) {
      const [, ahead = '0', behind = '0'] = /\+(\d+) -(\d+)/.exec(record) ?? []
      status.ahead = Number(ahead)
      status.behind = Number(behind)
    } else {
      const file = fileOf(record)
      if (!file) continue
      // A rename's old path is a record of its own.
      if (record.startsWith('2 ')) at += 1
      if (status.files.length >= mostFiles) {
        status.truncated = true
        break
      }
      status.files.push(file)
    }
  }
  if (status.branch === '(detached)') status.branch = commit.slice(0, 8)
  return status
}

/** How many space-separated words stand before the path. */
const wordsBefore: Record<string, number> = { '1': 8, '2': 9, u: 10, '?': 1 }

function fileOf(record: string): ParsedStatus['files'][number] | null {
  const kind = record[0] ?? ''
  const words = wordsBefore[kind]
  if (words === undefined || record[1] !== ' ') return null
  let start = 0
  for (let word = 0; word < words; word++) start = record.indexOf(' ', start) + 1
  const path = record.slice(start)
  const [staged = '.', unstaged = '.'] = record.slice(2, 4)
  if (kind === '?') return { path: path.replace(/\/$/, ''), state: 'untracked', staged: false }
  if (kind === 'u') return { path, state: 'conflicted', staged: false }
  return { path, state: kind === '2' ? 'renamed' : stateOf(staged, unstaged), staged: unstaged === '.' }
}

function stateOf(staged: string, unstaged: string): GitFileState {
  if (unstaged === 'D' || staged === 'D') return 'deleted'
  if (staged === 'A') return 'added'
  return 'modified'
}
