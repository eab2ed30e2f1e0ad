/**
 * Files of the work tree back to what the index has. Promise: what they were lies in Belay's trash before anything is touched,
 * and `undo` brings it back unless something newer stands there.
 */
import { chmod, lstat, mkdir, rmdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BelayError } from '#contract/error'
import { newId } from '../base/id.ts'
import { explained } from '../workspace/fault.ts'
import { fingerprint, moveEntry, removeEntry } from '../workspace/place-entry.ts'
import type { Trash } from '../workspace/trash.ts'
import { reverted, splitLines } from './line-patch.ts'
import { chosenLines } from './lines.ts'
import type { RawDiff } from './parse-diff.ts'
import { refusalOf, refuse, stale } from './refusal.ts'
import { absoluteOf, type Repository } from './repository.ts'
import { contentOf } from './sides.ts'
import { conflictIn, fromInput, nameList, namesOf } from './stage.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

/** A file that was set aside. */
interface Aside {
  readonly absolute: string
  /** Null: there was none. */
  readonly inTrash: string | null
  /** What stands there now, as `fingerprint` has it; '' for nothing. */
  after: string
}

const MOST_UNDOABLE = 200
const WHAT = 'Nothing was discarded'

export function discardHandlers(
  verbs: Verbs,
  trash: Trash,
): Pick<GitHandlers, 'discard' | 'discardLines' | 'undoDiscard'> {
  const undoable = new Map<string, Aside[]>()
  const remember = (asides: Aside[]): { ok: true; undoId: string } => {
    const undoId = newId('undo')
    undoable.set(undoId, asides)
    for (const oldest of undoable.keys()) {
      if (undoable.size <= MOST_UNDOABLE) break
      undoable.delete(oldest)
    }
    return { ok: true, undoId }
  }
  /** Sets aside, has `work` put there what shall be, and takes all back where that fails. */
  const replacing = async (
    here: Parameters<Verbs['touched']>[0],
    absolutes: readonly string[],
    work: () => Promise<Outcome>,
  ): Promise<Outcome<{ undoId: string }>> => {
    const asides: Aside[] = []
    const takeBack = () => Promise.all(asides.map(each => restored(each, trash)))
    try {
      for (const absolute of absolutes) {
        const there = await lstat(absolute).catch(() => null)
        asides.push({ absolute, inTrash: there ? await trash.put(absolute) : null, after: '' })
      }
      const outcome = await work()
      if (!outcome.ok) {
        await takeBack()
        return outcome
      }
    } catch (thrown) {
      await takeBack()
      throw explained(thrown, WHAT)
    } finally {
      await verbs.touched(here, absolutes)
    }
    for (const each of asides) each.after = await fingerprint(each.absolute)
    return remember(asides)
  }

  return {
    discard: ({ paths, ...here }) =>
      verbs.write(here, async repository => {
        const names = await namesOf(repository, paths)
        const conflict = await conflictIn(repository, names, WHAT)
        if (conflict) return conflict
        const found = await changedIn(repository, names)
        const all = [...found.tracked, ...found.announced, ...found.untracked]
        if (all.length === 0) return refuse('nothing', `${WHAT}: nothing differs from the index.`, ['refresh'])
        const place = (name: string) => absoluteOf(repository, name)
        return replacing(here, all.map(place), async () => {
          const outcome = await fromIndex(repository, found)
          if (outcome.ok)
            for (const name of found.untracked) await removeEmptyFolders(dirname(place(name)), repository.top)
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
        return replacing(here, [absolute], async () => {
          if (isGone) return { ok: true }
          await mkdir(dirname(absolute), { recursive: true })
          await writeFile(absolute, bytes, { flag: 'wx' })
          if (before.mode === '100755') await chmod(absolute, 0o755)
          return { ok: true }
        })
      }),
    undoDiscard: ({ undoId, ...here }) =>
      verbs.write(here, async () => {
        const what = 'What was discarded was not brought back'
        const asides = undoable.get(undoId)
        if (!asides)
          return refuse('stale', `${what}: this can no longer be undone. It still lies in Belay’s trash.`, [])
        for (const each of asides)
          if ((await fingerprint(each.absolute)) !== each.after)
            return refuse('stale', `${what}: a file was changed since. Nothing was done.`, ['refresh'])
        undoable.delete(undoId)
        try {
          for (const each of asides) await restored(each, trash)
        } catch (thrown) {
          throw explained(thrown, what)
        } finally {
          await verbs.touched(
            here,
            asides.map(each => each.absolute),
          )
        }
        return { ok: true }
      }),
  }
}

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

/** What stands there now is in git or was nothing: it goes. */
async function restored({ absolute, inTrash }: Aside, trash: Trash): Promise<void> {
  if (await lstat(absolute).catch(() => null)) await removeEntry(absolute)
  if (inTrash === null) return
  await mkdir(dirname(absolute), { recursive: true })
  await moveEntry(inTrash, absolute)
  await trash.emptied(inTrash)
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
