/** The files that differ between two commits, with how many lines. */
import type { GitChangedFile } from '#contract/git'
import { changeOf } from './parse-status.ts'
import type { Repository } from './repository.ts'

export const MOST_CHANGED_FILES = 5000

const verb = [
  ...['diff-tree', '-r', '-z', '--raw', '--numstat', '--find-renames', '--no-ext-diff', '--no-textconv'],
  ...['--no-commit-id', '--root', '--abbrev=40'],
]

/** `from` null: against nothing. */
export async function changedFiles(repository: Repository, from: string | null, to: string): Promise<GitChangedFile[]> {
  const answer = await repository.run('read', [...verb, ...(from === null ? [to] : [from, to])])
  return parseChanged(answer.stdout.toString('utf8'), name => repository.toPath(name))
}

/** Reads `--raw --numstat -z`: all raw entries first, then all counts, in the same order. Pure. */
export function parseChanged(output: string, toPath: (name: string) => string | null): GitChangedFile[] {
  const parts = output.split('\0')
  const files: GitChangedFile[] = []
  let at = 0
  while (parts[at]?.startsWith(':')) {
    const [oldMode, newMode, , , letter = 'M'] = (parts[at] ?? '').slice(1).split(' ')
    const isMoved = /^[RC]/.test(letter)
    const before = isMoved ? parts[at + 1] : undefined
    const name = parts[at + (isMoved ? 2 : 1)] ?? ''
    at += isMoved ? 3 : 2
    files.push({
      ...{ name, path: toPath(name), change: changeOf[letter[0] ?? 'M'] ?? 'modified', added: null, removed: null },
      ...(before === undefined ? {} : { from: toPath(before) }),
      ...(oldMode === '160000' || newMode === '160000' ? { submodule: true as const } : {}),
    })
  }
  for (const file of files) {
    const [, added, removed, name] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(parts[at] ?? '') ?? []
    if (added === undefined || removed === undefined) break
    // Of a rename the two names follow.
    at += name === '' ? 3 : 1
    if (added === '-') continue
    file.added = Number(added)
    file.removed = Number(removed)
  }
  return files
}
