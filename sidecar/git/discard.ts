/** Files and lines of the work tree back to what the index has. What they were is set aside first (aside.ts). */
import { chmod, mkdir, rmdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BelayError } from '#contract/error'
import type { Asides } from './aside.ts'
import { reverted, splitLines } from './line-patch.ts'
import { chosenLines } from './lines.ts'
import type { RawDiff } from './parse-diff.ts'
import { refusalOf, refuse, stale } from './refusal.ts'
import { absoluteOf, type Repository } from './repository.ts'
import { contentOf } from './sides.ts'
import { conflictIn, fromInput, nameList, namesOf } from './stage.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

const WHAT = 'Nothing was discarded'

export const discardHandlers = (
  verbs: Verbs,
  asides: Asides,
): Pick<GitHandlers, 'discard' | 'discardLines' | 'undoDiscard'> => ({
  discard: ({ paths, ...here }) =>
    verbs.write(here, async repository => {
      const names = await namesOf(repository, paths)
      const conflict = await conflictIn(repository, names, WHAT)
      if (conflict) return conflict
      const found = await changedIn(repository, names)
      const all = [...found.tracked, ...found.announced, ...found.untracked]
      if (all.length === 0) return refuse('nothing', `${WHAT}: nothing differs from the index.`, ['refresh'])
      return asides.replacing(here, repository, all, WHAT, async () => {
        const outcome = await fromIndex(repository, found)
        if (outcome.ok)
          for (const name of found.untracked)
            await removeEmptyFolders(dirname(absoluteOf(repository, name)), repository.top)
        return outcome
      })
    }),
  discardLines: ({ path, token, lines, ...here }) =>
    verbs.write(here, async repository => {
      const name = await repository.toName(path)
      const what = 'The lines were not discarded'
      const wish = await chosenLines(repository, { name, token, lines, from: 'index', to: 'worktree' }, what)
      if (!wish.ok) return wish
      const absolute = absoluteOf(repository, name)
      const content = await contentOf(repository, name, 'worktree')
      const before = content.kind === 'bytes' ? content : { bytes: Buffer.alloc(0), mode: wish.diff.oldMode }
      const hunks = asOnDisk(wish.diff, before.bytes)
      if (!hunks) return stale(what)
      const bytes = reverted(before.bytes, hunks, wish.chosen)
      const isGone = wish.all && wish.diff.change === 'added'
      return asides.replacing(here, repository, [name], what, async () => {
        if (isGone) return { ok: true }
        await mkdir(dirname(absolute), { recursive: true })
        await writeFile(absolute, bytes, { flag: 'wx' })
        if (before.mode === '100755') await chmod(absolute, 0o755)
        return { ok: true }
      })
    }),
  undoDiscard: ({ undoId, ...here }) => verbs.write(here, repository => asides.bringBack(here, repository, undoId)),
})

interface Found {
  readonly tracked: string[]
  /** In the index by name alone (`add --intent-to-add`): there is nothing to go back to. */
  readonly announced: string[]
  readonly untracked: string[]
}

async function changedIn(repository: Repository, names: readonly string[]): Promise<Found> {
  const diff = [
    'diff',
    '--name-status',
    '-z',
    '--no-renames',
    '--no-ext-diff',
    '--ignore-submodules=all',
    '--',
    ...names,
  ]
  const others = ['ls-files', '--others', '--exclude-standard', '-z', '--full-name', '--', ...names]
  const [changed, untracked] = await Promise.all([repository.run('read', diff), repository.run('read', others)])
  for (const each of [changed, untracked])
    if (each.code !== 0) throw new BelayError('internal', `${WHAT}: git could not say what differs. ${each.stderr}`)
  const parts = changed.stdout.toString('utf8').split('\0')
  const found: Found = { tracked: [], announced: [], untracked: list(untracked.stdout) }
  for (let at = 0; at + 1 < parts.length; at += 2)
    (parts[at] === 'A' ? found.announced : found.tracked).push(parts[at + 1] ?? '')
  return found
}

const list = (stdout: Buffer): string[] => stdout.toString('utf8').split('\0').filter(Boolean)

async function fromIndex(repository: Repository, { tracked, announced }: Found): Promise<Outcome> {
  for (const [verb, names] of [
    [['restore', '--worktree'], tracked],
    [['rm', '--cached', '--quiet', '--force'], announced],
  ] as const) {
    if (names.length === 0) continue
    const result = await repository.run('index', [...verb, ...fromInput], { input: nameList(names) })
    if (result.code !== 0) return refusalOf(repository, WHAT, result)
  }
  return { ok: true }
}

/** A folder that held untracked files alone is no more in git's eyes. */
async function removeEmptyFolders(folder: string, top: string): Promise<void> {
  for (let at = folder; at !== top && at.startsWith(top); at = dirname(at)) {
    const removed = await rmdir(at).then(
      () => true,
      () => false,
    )
    if (!removed) return
  }
}

/**
 * The difference in the bytes of the disk: where git stores line feeds and the file has carriage returns before them, so have
 * the lines that come back. Null where the file is not what the difference says.
 */
function asOnDisk({ hunks }: RawDiff, disk: Buffer): RawDiff['hunks'] | null {
  const lines = splitLines(disk)
  let converted: boolean | null = null
  for (const hunk of hunks) {
    let at = hunk.newStart - 1
    for (const { kind, bytes } of hunk.lines) {
      if (kind === 'removed') continue
      const there = lines[at++]
      if (!there) return null
      if (there.equals(bytes) && !(converted && there.includes('\n'))) converted ??= there.includes('\n') ? false : null
      else if (converted !== false && there.equals(withReturn(bytes))) converted = true
      else return null
    }
  }
  if (converted === null) converted = lines[0]?.toString('latin1').endsWith('\r\n') ?? false
  if (!converted) return hunks
  return hunks.map(hunk => ({
    ...hunk,
    lines: hunk.lines.map(line => ({ ...line, bytes: withReturn(line.bytes) })),
  }))
}

const withReturn = (line: Buffer): Buffer =>
  line[line.length - 1] === 10 ? Buffer.concat([line.subarray(0, -1), Buffer.from('\r\n')]) : line
