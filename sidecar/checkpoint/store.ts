/**
 * All that is known of one root: what stands there, who wrote what, the contents. Several processes may share it, one at a
 * time. What cannot be written to disk is said once and kept in memory; nobody is kept from working by it.
 */
import { rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { FileState } from '#contract/ledger'
import { newId } from '../base/id.ts'
import { isProvablyDead, type ProcessStamp, stampOf } from '../base/process-info.ts'
import { createAlone } from './alone.ts'
import { ascribe, type Claim, isSame } from './attribute.ts'
import { capture, isUnchanged, keep, MOST_KEPT_BYTES } from './capture.ts'
import { createContents } from './contents.ts'
import { factsAt } from './facts-at.ts'
import type { Glances } from './glance.ts'
import { createJournal, type Entry, type Line } from './journal.ts'
import { createKnowledge } from './knowledge.ts'
import type { Author, Replaced } from './ledger.ts'
import { type Limits, needed, standing, tooOld } from './prune.ts'
import { type Excludes, type Found, sweep } from './sweep.ts'
import { isBy, type Told, toldOf } from './told.ts'
import { type Folder, fileAt, folderAt, foldersOf, loadTree, newFolder, saveTree, setFile } from './tree.ts'

export interface StoreOptions {
  readonly root: string
  /** Of this root alone; made where it is missing. */
  readonly folder: string
  readonly instanceId: string
  readonly excludes: Excludes
  /** Other eyes, for so many files and more. */
  readonly eyes: { readonly from: number; start(): Glances | null }
  /** Absolute: other roots inside this one, and Belay's own data, wherever it lies. */
  readonly leaveOut: readonly string[]
  /** What `excludes` and `leaveOut` are made of: with another, all names are read again. */
  readonly ruledBy: string
  /** Paths that got a line. */
  onLines(paths: string[]): void
  readonly limits: Limits
  /** Since when (ms since 1970) the disk takes no more; null: it does again. */
  onFull(since: number | null): void
}

export interface Store {
  /** The checkpoint of the state now: the last one, where nothing has changed since. */
  take(): Promise<{ id: string; at: number }>
  /** Answers the bracket's name. */
  begin(author: Author): Promise<string>
  /**
   * What its author wrote since it was opened. `running`: it goes on, and is from now on no longer told from what others write.
   */
  finish(bracket: string, author: Author, running: boolean): Promise<Told>
  /** Looks first, and tells what is known of its writes: also of one whose bracket nobody ended. */
  wroteOf(author: Author): Promise<Told>
  writing(path: string): void
  /** Balances `writing`. */
  written(path: string, author: Author, written: Replaced | null): Promise<void>
  wrote(path: string, author: Author): Promise<void>
  /** What another process wrote and could not tell any more, where it still stands there as it left it. */
  claim(path: string, author: Author, states: Pick<Line, 'before' | 'after'>): Promise<void>
  /** Looks first. */
  since(checkpointId: string, how?: { look: boolean }): Promise<Line[] | null>
  linesOf(path: string): Promise<Line[]>
  linesBy(sessionId: string): Promise<Line[]>
  /** Sessions whose calls wrote after this time (ms since 1970), or may be writing. */
  active(since: number): Promise<string[]>
  /** As it is on disk. */
  now(paths: readonly string[]): Promise<(FileState | null)[]>
  contentOf(hash: string): Promise<Buffer | null>
  /** Forgets all there is: who wrote what, every checkpoint, every content. */
  clear(): Promise<void>
  /** Writes what is due. Usable after it. */
  rest(): Promise<void>
}

export function createStore(options: StoreOptions): Store {
  const { root, folder, excludes, leaveOut } = options
  const turns = createAlone(join(folder, 'lock'), options.instanceId)
  const journal = createJournal(folder)
  const contents = createContents(join(folder, 'contents'), bytes => {
    room -= bytes
    return room >= 0
  })
  const knowledge = createKnowledge()
  const treeFile = join(folder, 'tree')
  /** Paths that Belay itself writes at this moment. */
  const pending = new Map<string, number>()
  /** Opened by processes that are no more: over with the next look. */
  const dead = new Set<string>()
  let tree: Folder | null = null
  let saved = -1
  let pruneAt = options.limits.bytes
  let unwritten: Entry[] = []
  /** Bytes that may be added, as far as the disk goes. */
  let room = Number.POSITIVE_INFINITY
  /** Since when something did not fit, and the largest of it. */
  let full: { since: number; bytes: number } | null = null
  let missed = false
  let me: ProcessStamp | null = null
  let glances: Glances | null | undefined

  const sayFull = (bytes = 0) => {
    missed = true
    if (!full) options.onFull(Date.now())
    full = { since: full?.since ?? Date.now(), bytes: Math.max(full?.bytes ?? 0, bytes) }
  }
  /** Where there is room again, what was not kept is looked at once more. */
  const measureRoom = (known: Folder) => {
    room = freeBytes(folder) - options.limits.leastFreeBytes
    missed = !full || room <= full.bytes
    if (missed) return
    for (const [, each] of foldersOf(known))
      for (const [name, file] of each.files) if (!file.kept) setFile(each, name, { ...file, racy: true })
  }
  const noticeRoom = () => {
    if (!full || missed) return
    full = null
    options.onFull(null)
  }
  const alone = <T>(work: (tree: Folder) => Promise<T>): Promise<T> => turns.run(async () => work(await caughtUp()))

  const isMine = ({ pid, startedAt }: ProcessStamp) => pid === me?.pid && startedAt === me.startedAt
  const caughtUp = async (): Promise<Folder> => {
    const { anew, entries } = journal.news()
    if (anew) {
      knowledge.forget()
      contents.forget()
      tree = null
    } else if (entries.length > 0) contents.forget()
    for (const entry of entries) knowledge.add(entry)
    for (const [id, { owner, loose }] of knowledge.open) {
      if (dead.has(id) || isMine(owner) || !(await isProvablyDead(owner))) continue
      dead.add(id)
      if (!loose) append([{ t: 'loosened', id }])
    }
    // Somebody else may have looked for the first time.
    if (!tree || tree.ino === 0) tree = treeNow()
    else for (const entry of entries) if (entry.t === 'write') setState(tree, entry.path, entry.after)
    return tree
  }
  /** What was known when it was last written down, and what was noticed since. */
  const treeNow = (): Folder => {
    const kept = loadTree(treeFile)
    const fits = kept !== null && kept.journal === knowledge.journal && kept.seq <= knowledge.seq
    const known = fits ? kept.tree : newFolder()
    saved = fits ? kept.seq : -1
    if (fits && kept.ruledBy !== options.ruledBy) for (const [, each] of foldersOf(known)) each.racy = true
    for (const line of knowledge.lines) if (!fits || line.seq > kept.seq) setState(known, line.path, line.after)
    return known
  }

  const append = (entries: Entry[]) => {
    for (const entry of entries) knowledge.add(entry)
    unwritten.push(...entries)
    if (unwritten.length === 0) return
    try {
      contents.sync()
      journal.append(unwritten)
      unwritten = []
    } catch (fault) {
      if (isFull(fault)) return sayFull()
      throw fault
    }
  }

  const look = async (known: Folder, only = '', claim: Claim | null = null): Promise<void> => {
    const first = known.ino === 0
    measureRoom(known)
    const from = claim?.before === undefined ? undefined : fileAt(known, only)
    const found = await sweep(
      { root, tree: known, contents, excludes, leaveOut, glances: glances ?? null, onFull: sayFull },
      only,
    )
    // What was told while this looked is heard first: Belay's own writes are not somebody else's.
    await turn()
    await turn()
    const entries: Entry[] = []
    const at = Date.now()
    const add = (path: string, states: Seen, by: Claim | null) => {
      const more = states.ignored ? { ignored: true as const } : {}
      for (const each of ascribe(states, by, [...knowledge.open.values()]))
        entries.push({ t: 'write', seq: knowledge.seq + entries.length + 1, at, path, ...each, ...more })
    }
    const later = (path: string) => claim === null && isPending(path)
    for (const each of found.sort(byPath)) {
      if (later(each.path)) each.defer()
      else if (from === undefined) add(each.path, each, claim)
    }
    if (from !== undefined && claim) {
      const one = found.find(({ path }) => path === only)
      const states = { before: from, after: one ? one.after : from, ignored: one?.ignored }
      if (from || states.after) add(only, states, claim)
      else add(only, leftOut(only, claim), { author: claim.author })
    }
    const over = only === '' ? [...dead].filter(id => knowledge.open.has(id)) : []
    try {
      append([...entries, ...over.map((id): Entry => ({ t: 'closed', id }))])
    } catch (fault) {
      for (const each of found) each.defer()
      throw fault
    }
    for (const each of found) if (!later(each.path)) each.commit()
    if (only === '') noticeRoom()
    if (entries.length > 0)
      options.onLines([...new Set(entries.flatMap(each => (each.t === 'write' ? each.path : [])))])
    if (first) await save(known)
    if (only === '') lookCloser(known)
  }
  /** Of a path that no sweep looks at, what Belay wrote there is known all the same. */
  const leftOut = (path: string, { before = null }: Claim): Pick<Line, 'before' | 'after'> => {
    const now = capture(`${root}/${path}`, contents, sayFull)
    const state = (hash: string): FileState => ({
      ...{ kind: 'file', mode: now?.mode ?? 0, bytes: 0, hash, kept: contents.has(hash) },
    })
    return { before: before === null ? null : state(before), after: now && plain(now) }
  }
  /** What Belay replaced, where no look has seen it. */
  const seenBefore = (path: string, hash: string | null, bytes: Uint8Array | null): FileState | null => {
    if (hash === null || !bytes || !tree) return null
    const kept = bytes.length <= MOST_KEPT_BYTES && keep(contents, hash, bytes, sayFull)
    return { kind: 'file', mode: fileAt(tree, path)?.mode ?? 0, bytes: bytes.length, hash, kept }
  }
  /** Threads of their own pay off with many files only. */
  const lookCloser = (known: Folder) => {
    if (glances === undefined && countFiles(known) >= options.eyes.from) glances = options.eyes.start()
    glances?.cover(known, root)
  }
  const isPending = (path: string): boolean => {
    for (const each of pending.keys()) if (path === each || path.startsWith(`${each}/`)) return true
    return false
  }
  const save = async (known: Folder): Promise<void> => {
    if (saved === knowledge.seq || full) return
    const { seq, journal } = knowledge
    await unlessFull(
      saveTree(treeFile, { seq, journal, ruledBy: options.ruledBy, tree: known }).then(() => (saved = seq)),
    )
  }
  const unlessFull = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (fault) {
      if (!isFull(fault)) throw fault
      sayFull()
    }
  }

  /** Forgets what is too old or too much. */
  const prune = async (known: Folder): Promise<void> => {
    const { limits } = options
    const dropped = tooOld(knowledge.lines, Date.now(), limits)
    if (dropped > 0) await drop(known, dropped)
    const now = contents.bytesOf(standing(known))
    for (;;) {
      const { lines } = knowledge
      const half = lines[lines.length >> 1]
      if (contents.bytesOf(needed(known, lines)) - now <= limits.bytes || !half) break
      await drop(known, half.seq)
    }
    // A pack is written anew only where most of it is of no use.
    if (contents.bytes() - now > limits.bytes) contents.thin(needed(known, knowledge.lines))
  }
  const drop = async (known: Folder, seq: number): Promise<void> => {
    journal.replace(knowledge.without(seq), seq)
    knowledge.forget()
    for (const entry of journal.news().entries) knowledge.add(entry)
    contents.thin(needed(known, knowledge.lines))
    saved = -1
    await save(known)
  }

  return {
    take: () =>
      alone(async known => {
        await look(known)
        // It may be long before nobody works here.
        if (contents.bytes() > pruneAt) {
          await unlessFull(prune(known))
          pruneAt = contents.bytes() + options.limits.bytes
        }
        const last = knowledge.lastCheckpoint
        if (last && last.seq === knowledge.seq) return last
        const taken = { id: newId('chk'), at: Date.now(), seq: knowledge.seq }
        append([{ t: 'checkpoint', ...taken }])
        return taken
      }),
    begin: author =>
      alone(async known => {
        await look(known)
        const id = newId('brk')
        me ??= await stampOf(process.pid)
        append([{ t: 'open', id, author, owner: me, at: Date.now(), seq: knowledge.seq }])
        return id
      }),
    finish: (bracket, author, running) =>
      alone(async known => {
        await look(known)
        const lines = knowledge.after(knowledge.open.get(bracket)?.seq ?? knowledge.seq)
        append([{ t: running ? 'loosened' : 'closed', id: bracket }])
        return toldOf(lines, author, contents.read)
      }),
    wroteOf: author =>
      alone(async known => {
        await look(known)
        const first = knowledge.lines.find(line => isBy(line, author))
        return first ? toldOf(knowledge.after(first.seq - 1), author, contents.read) : { files: [], more: 0 }
      }),
    writing: path => void pending.set(path, (pending.get(path) ?? 0) + 1),
    written: (path, author, written) =>
      alone(async known => {
        const count = (pending.get(path) ?? 1) - 1
        if (count > 0) pending.set(path, count)
        else pending.delete(path)
        // Where nothing is known yet, the first look takes it as it is.
        if (!written || known.ino === 0) return
        const { before, after, bytesBefore } = written
        await look(known, path, { author, before, after, stateBefore: seenBefore(path, before, bytesBefore) })
      }),
    wrote: (path, author) =>
      alone(async known => {
        if (known.ino !== 0) await look(known, path, { author })
      }),
    claim: (path, author, { before, after }) =>
      alone(async known => {
        const now = capture(`${root}/${path}`, contents, sayFull)
        const [from, to] = [before?.hash ?? null, after?.hash ?? null]
        if (known.ino === 0 || (now?.hash ?? null) !== to || isSame(fileAt(known, path) ?? null, now)) return
        await look(known, path, { author, before: from, after: to })
      }),
    since: (id, how = { look: true }) =>
      alone(async known => {
        if (how.look) await look(known)
        const taken = knowledge.checkpoints.get(id)
        return taken ? knowledge.after(taken.seq) : null
      }),
    linesOf: path => alone(async () => knowledge.linesOf(path)),
    linesBy: sessionId =>
      alone(async () => knowledge.lines.filter(({ writers }) => writers.some(each => each.sessionId === sessionId))),
    active: since =>
      alone(async () => {
        const writers = [
          ...knowledge.lines.flatMap(line => (line.at > since ? line.writers : [])),
          ...[...knowledge.open.values()].flatMap(({ author }) => (author.by === 'agent' ? author.writer : [])),
        ]
        return [...new Set(writers.map(each => each.sessionId))]
      }),
    now: paths =>
      alone(async known =>
        paths.map(path => {
          const file = `${root}/${path}`
          const [was, facts] = [fileAt(known, path), factsAt(file)]
          const state = was && facts && isUnchanged(was, facts) ? was : capture(file, contents, sayFull, was?.ignored)
          return state && plain(state)
        }),
      ),
    contentOf: hash => alone(async () => contents.read(hash)),
    clear: () =>
      alone(async () => {
        unwritten = []
        journal.replace([], knowledge.seq)
        knowledge.forget()
        for (const entry of journal.news().entries) knowledge.add(entry)
        contents.thin(new Set())
        rmSync(treeFile, { force: true })
        dead.clear()
        tree = null
        saved = -1
      }),
    rest: () =>
      turns.end(async () => {
        if (tree) {
          const known = await caughtUp()
          await unlessFull(prune(known))
          await save(known)
        }
        contents.close()
        journal.close()
        glances?.end()
        glances = undefined
        tree = null
      }),
  }
}

function countFiles(tree: Folder): number {
  let count = 0
  for (const [, { files }] of foldersOf(tree)) count += files.size
  return count
}

type Seen = Pick<Line, 'before' | 'after'> & { readonly ignored?: boolean | undefined }

const byPath = (a: Found, b: Found): number => (a.path < b.path ? -1 : 1)
function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    // Not there yet, or a platform that does not say.
    return Number.POSITIVE_INFINITY
  }
}

const isFull = (fault: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS'].includes((fault as NodeJS.ErrnoException).code ?? '')
const plain = ({ kind, mode, bytes, hash, kept }: FileState): FileState => ({ kind, mode, bytes, hash, kept })

/** Somebody else noticed it: true by their word, and looked at again by ours. */
function setState(tree: Folder, path: string, state: FileState | null): void {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = folderAt(tree, path.slice(0, Math.max(0, path.length - name.length - 1)))
  folder.racy = true
  if (!state) setFile(folder, name, null)
  else if (!isSame(folder.files.get(name) ?? null, state))
    setFile(folder, name, { ...state, ino: 0, changedMs: 0, racy: true })
}
