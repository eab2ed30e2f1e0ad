/**
 * Random lives of a folder: an agent writes by tools and commands, a second one too, a person saves, types, deletes and lets other
 * programs write, also while a turn runs; in between the conversation and the files are taken back, brought again, moved to
 * other branches, forked while the parent works on, and Belay ends or crashes and starts anew. What a person wrote is never written over by any way back, all that was
 * overwritten can be had again, and what only the agent changed is as it was.
 */
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toFault } from '#contract/error'
import type { ItemId, RequestId, SessionId } from '#contract/id'
import { undoableMove } from '#contract/session-moves'
import { hashOf } from './checkpoint/contents.ts'
import { type Life, onDisk, startLife, textAt, turnOf } from './no-loss.case.ts'

const paths = ['one.txt', 'two.txt', 'in/three.txt'] as const
type Path = (typeof paths)[number]
const path = fc.constantFrom(...paths)

type PersonAct = { act: 'save' | 'type' | 'outside' | 'delete'; path: Path }
/** `saving` and `outside`: a command, and meanwhile a person saves there, or another program writes there. */
type AgentAct =
  | { tool: 'put' | 'shell' | 'remove' | 'saving' | 'outside'; path: Path }
  | { tool: 'person'; does: PersonAct }
type Op =
  | { op: 'turn'; of: 'a' | 'b'; acts: AgentAct[] }
  | { op: 'person'; does: PersonAct }
  | { op: 'rewind'; what: 'conversation' | 'files' | 'both'; turns: number }
  | { op: 'undo' | 'restart' | 'crash' | 'rerun' | 'edit' }
  | { op: 'switch'; pick: number; what: 'conversation' | 'both' }
  | { op: 'fork'; pick: number }

const personAct: fc.Arbitrary<PersonAct> = fc.record({
  act: fc.constantFrom('save' as const, 'type' as const, 'outside' as const, 'delete' as const),
  path,
})
const agentAct: fc.Arbitrary<AgentAct> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      tool: fc.constantFrom(...(['put', 'put', 'shell', 'remove', 'saving', 'outside'] as const)),
      path,
    }),
  },
  { weight: 2, arbitrary: fc.record({ tool: fc.constant('person' as const), does: personAct }) },
)
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      op: fc.constant('turn' as const),
      of: fc.constantFrom('a' as const, 'a' as const, 'a' as const, 'b' as const),
      acts: fc.array(agentAct, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('person' as const), does: personAct }) },
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('rewind' as const),
      what: fc.constantFrom('conversation' as const, 'files' as const, 'both' as const, 'both' as const),
      turns: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constantFrom('undo' as const, 'undo' as const, 'rerun' as const, 'edit' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('restart' as const, 'crash' as const) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('fork' as const), pick: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('switch' as const),
      pick: fc.nat(20),
      what: fc.constantFrom('conversation' as const, 'both' as const),
    }),
  },
)

type Disk = Record<Path, string | null>
/** How the files stood when a turn began, and which of them others than its agent have touched since. */
interface Mark {
  readonly disk: Disk
  readonly foreign: Set<Path>
}

class World {
  life!: Life
  sessions!: Record<'a' | 'b', SessionId>
  /** By the prompt of a turn of `a`. */
  readonly marks = new Map<string, Mark>()
  /** What session `a` wrote. */
  readonly wrote = new Set<Path>()
  /** Who wrote what stands there now, and who wrote each text. */
  readonly last = new Map<Path, string>()
  readonly authors = new Map<string, string>()
  /** Texts of others that the agent, or a way back, has written over. */
  readonly owed = new Set<string>()
  /** What a person typed and has not saved. */
  readonly typed = new Map<Path, string[]>()
  /** Where nothing stood when another program made a file: who had left it so. */
  private readonly beneath = new Map<Path, string>()
  private made = 0
  constructor(readonly home: string) {}

  text(who: string): string {
    const text = `${++this.made} by ${who}\n`
    this.authors.set(text, who)
    return text
  }
  async disk(): Promise<Disk> {
    const found = await Promise.all(paths.map(async each => [each, await textAt(this.home, each)] as const))
    return Object.fromEntries(found) as Disk
  }
  touched(at: Path, who: string): void {
    this.last.set(at, who)
    this.beneath.delete(at)
    if (who !== 'a') for (const { foreign } of this.marks.values()) foreign.add(at)
  }
  /** What stands there is somebody's own, and about to be written over by an agent. */
  async overwrites(at: Path): Promise<void> {
    const now = await textAt(this.home, at)
    if (now !== null && this.authors.get(now) !== 'a') this.owed.add(now)
  }

  async person({ act, path: at }: PersonAct): Promise<void> {
    const { documents, context, wire } = this.life
    const absolute = join(this.home, 'root', at)
    if (act === 'outside' || act === 'delete') {
      const isThere = (await textAt(this.home, at)) !== null
      if (act === 'delete' && !isThere) return
      await onDisk(absolute, act === 'delete' ? null : this.text('outside'))
      const [left, beneath] = [this.last.get(at), this.beneath.get(at)]
      this.touched(at, 'person')
      // Made and gone again: it is as it was left before, and nothing of anybody's stands there.
      if (act === 'delete' && beneath) this.last.set(at, beneath)
      if (act === 'outside' && !isThere && left) this.beneath.set(at, left)
      return
    }
    try {
      const { state, text } = await documents.handlers.open(
        { workspaceId: this.life.workspaceId, path: wire(at) },
        context,
      )
      const documentId = state.documentId as never
      const mine = this.text('person')
      const change = act === 'save' ? { from: 0, to: text.length, text: mine } : { from: 0, to: 0, text: mine }
      await documents.handlers.change({ documentId, baseVersion: state.version, changes: [change] }, context)
      if (act === 'type') {
        this.typed.set(at, [...(this.typed.get(at) ?? []), mine])
        return
      }
      this.typed.delete(at)
      await documents.handlers.save({ documentId, force: true }, context)
      this.touched(at, 'person')
    } catch (thrown) {
      // Nothing stands there to be opened.
      if (!['not_found', 'stale'].includes(toFault(thrown).code)) throw thrown
    }
  }

  async turn(of: 'a' | 'b', acts: readonly AgentAct[]): Promise<string> {
    const mark: Mark = { disk: await this.disk(), foreign: new Set() }
    const during = Symbol('turn')
    if (of === 'a') this.marks.set(during as unknown as string, mark)
    const steps = acts.map(act => {
      if (act.tool === 'person') return [{ call: 'person', arguments: { act: { does: act.does } } }]
      const text = act.tool === 'remove' ? null : this.text(of)
      const wrote = { path: act.path, who: of, removes: act.tool === 'remove' }
      if (act.tool === 'put')
        return [
          { call: 'person', arguments: { act: { before: wrote } } },
          { call: 'put', arguments: { path: act.path, text } },
        ]
      const beside =
        act.tool === 'saving'
          ? { does: { act: 'save', path: act.path } }
          : act.tool === 'outside' && { does: { act: 'outside', path: act.path }, unseen: true }
      const writes = [{ path: act.path, text }]
      return [
        { call: 'person', arguments: { act: { before: wrote } } },
        { call: 'shell', arguments: { writes, ...(beside ? { person: beside } : {}) } },
      ]
    })
    const prompt = await turnOf(this.life, this.sessions[of], steps)
    // A tool that did nothing would prove nothing.
    const { items } = await this.life.talks.handlers.open({ sessionId: this.sessions[of] }, this.life.context)
    expect(items.flatMap(item => (item.kind === 'tool' && item.state === 'failed' ? item.preview : []))).toEqual([])
    if (of === 'a') {
      this.marks.delete(during as unknown as string)
      this.marks.set(prompt, mark)
    }
    return prompt
  }
  /** What the tool `person` is told. */
  async during(told: unknown): Promise<void> {
    const { does, before, unseen } = told as {
      does?: PersonAct
      before?: { path: Path; who: 'a' | 'b'; removes: boolean }
      unseen?: true
    }
    // What another program writes where a command runs, nobody can tell from the command's own: it can only be had again.
    if (does && unseen) await onDisk(join(this.home, 'root', does.path), this.text('outside'))
    else if (does) await this.person(does)
    // What is not there is not removed by anybody.
    if (before && !(before.removes && (await textAt(this.home, before.path)) === null)) {
      await this.overwrites(before.path)
      if (before.who === 'a') this.wrote.add(before.path)
      this.touched(before.path, before.who)
    }
  }

  /** A way back of session `a`. Whatever it did, nobody lost a byte by it. */
  async back<T>(work: () => Promise<T>): Promise<T> {
    const before = await this.disk()
    const result = await work()
    const after = await this.disk()
    for (const at of paths) {
      if (before[at] === after[at]) continue
      const who = this.last.get(at)
      expect([at, who === 'a' || who === 'restore', before[at], after[at]]).toEqual([at, true, before[at], after[at]])
      this.last.set(at, 'restore')
      this.beneath.delete(at)
      if (before[at] !== null) this.owed.add(before[at])
    }
    return result
  }
}

async function prompts({ life, sessions }: World): Promise<ItemId[]> {
  const { items } = await life.talks.handlers.open({ sessionId: sessions.a }, life.context)
  return items.flatMap(item => (item.kind === 'message' && item.role === 'user' ? [item.id as ItemId] : []))
}
const facts = async ({ life, sessions }: World) =>
  (await life.talks.handlers.open({ sessionId: sessions.a }, life.context)).facts

async function rewind(world: World, { what, turns }: Extract<Op, { op: 'rewind' }>): Promise<void> {
  const { life, sessions } = world
  const path = await prompts(world)
  if (path.length === 0) return
  const to = path[Math.max(0, path.length - turns)] as ItemId
  const mark = world.marks.get(to)
  const before = await world.disk()
  const request = { sessionId: sessions.a, requestId: newId(), to: { turns }, what, merge: [], leave: [] }
  const { files } = await world.back(async () => life.head.handlers.rewind(request, life.context))
  expect(await prompts(world)).toEqual(what === 'files' ? path : path.slice(0, Math.max(0, path.length - turns)))
  const after = await world.disk()
  if (what === 'conversation') return expect(after).toEqual(before)
  const unsaved = new Set(files.flatMap(line => (line.why === 'unsaved' ? line.path.path : [])))
  for (const at of paths)
    if (mark && !mark.foreign.has(at) && !unsaved.has(at)) expect([at, after[at]]).toEqual([at, mark.disk[at]])
}

/** From here on the branch is `a`, and its parent works on as `b`. What of the parent is not in the branch is another's. */
async function fork(world: World, pick: number): Promise<void> {
  const { life, sessions } = world
  const path = await prompts(world)
  const { items, facts: before } = await life.talks.handlers.open({ sessionId: sessions.a }, life.context)
  const cut = path[pick % (path.length + 1)]
  const atItemId = cut ? (items.find(({ id }) => id === cut)?.parentId ?? null) : before.head
  const wish = { sessionId: sessions.a, atItemId: atItemId as ItemId | null, requestId: newId() }
  const { sessionId } = await life.talks.handlers.fork(wish, life.context)
  world.sessions = { a: sessionId as SessionId, b: sessions.a }
  const kept = await prompts(world)
  expect(kept).toEqual(cut ? path.slice(0, path.indexOf(cut)) : path)
  // What the parent wrote is the parent's, which may go on from there: the fork takes back its own alone.
  for (const at of world.wrote) world.touched(at, world.last.get(at) === 'a' ? 'b' : (world.last.get(at) ?? 'b'))
  world.wrote.clear()
}

async function act(world: World, each: Op): Promise<void> {
  const { life, sessions } = world
  const { handlers } = life.head
  const a = { sessionId: sessions.a }
  if (each.op === 'turn') await world.turn(each.of, each.acts)
  else if (each.op === 'person') await world.person(each.does)
  else if (each.op === 'rewind') await rewind(world, each)
  else if (each.op === 'fork') await fork(world, each.pick)
  else if (each.op === 'restart' || each.op === 'crash') {
    const before = await facts(world)
    await (each.op === 'crash' ? crash(world) : life.end())
    world.life = await startLife({ home: world.home, person: told => world.during(told) })
    expect((await facts(world)).moves).toEqual(before.moves)
  } else if (each.op === 'undo') {
    const move = undoableMove((await facts(world)) as never)
    if (!move) return
    await world.back(async () => handlers.undo({ ...a, moveId: move.requestId }, life.context))
    expect((await facts(world)).head).toBe(move.from)
  } else if (each.op === 'switch') {
    const { points } = await handlers.branches(a, life.context)
    const all = points.flatMap(({ branches }) => branches)
    const branch = all[each.pick % Math.max(1, all.length)]
    if (!branch) return
    const request = {
      ...a,
      requestId: newId(),
      to: { branch: branch.itemId as ItemId },
      what: each.what,
      merge: [],
      leave: [],
    }
    await world.back(async () => handlers.rewind(request, life.context))
  } else await again(world, each.op)
}

/** As a power cut ends it: the next life finds what the disk held at that moment, and nothing is written to the end first. */
async function crash({ life, home, typed }: World): Promise<void> {
  const [belay, held] = [join(home, 'belay'), join(home, 'held')]
  const unsaved = async () => {
    const folder = join(belay, 'data/backups', life.workspaceId)
    const names = await readdir(folder).catch((): string[] => [])
    const texts = await Promise.all(names.map(name => readFile(join(folder, name), 'utf8').catch(() => '')))
    return [...typed.values()].flat().filter(word => !texts.some(text => text.includes(word)))
  }
  // What is typed is on the disk within the second.
  await expect.poll(unsaved, { timeout: 20_000, interval: 20 }).toEqual([])
  await copyOf(belay, held)
  await life.end()
  await rm(belay, { recursive: true })
  await rename(held, belay)
}

/** What goes while it is copied is not in it, as on a disk. */
async function copyOf(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, { recursive: true, filter: each => !/lock|\.tmp$/.test(each) })
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOENT') throw fault
    await rm(to, { recursive: true, force: true })
    await copyOf(from, to)
  }
}

/** The last request once more, or other words in its place with the files of before. */
async function again(world: World, how: 'rerun' | 'edit'): Promise<void> {
  const { life, sessions } = world
  const last = (await prompts(world)).at(-1)
  if (!last) return
  const a = { sessionId: sessions.a, requestId: newId() }
  if (how === 'edit') {
    const parts = [{ kind: 'text' as const, text: 'other words' }]
    const edit = { ...a, itemId: last, parts, files: true, merge: [], leave: [] }
    await world.back(async () => life.head.handlers.edit(edit, life.context))
    await settled(world)
    const fresh = (await prompts(world)).at(-1) as ItemId
    world.marks.set(fresh, { disk: await world.disk(), foreign: new Set() })
    return
  }
  const disk = await world.disk()
  await life.head.handlers.rerun(a, life.context)
  await settled(world)
  // What it writes, it has written before: the same texts in the same places.
  for (const at of paths) {
    const now = await textAt(world.home, at)
    if (now !== disk[at]) world.last.set(at, 'a')
  }
}

const settled = ({ life, sessions }: World) =>
  expect.poll(() => life.talks.running().includes(sessions.a), { timeout: 5000, interval: 1 }).toBe(false)
const newId = (): RequestId => crypto.randomUUID() as RequestId

async function play(ops: readonly Op[]): Promise<void> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'belay-no-loss-')))
  await mkdir(join(home, 'root'))
  const world = new World(home)
  try {
    for (const each of ['one.txt', 'in/three.txt']) await onDisk(join(home, 'root', each), world.text('outside'))
    world.life = await startLife({ home, person: told => world.during(told) })
    world.sessions = { a: await world.life.begin(), b: await world.life.begin() }
    for (const at of paths) world.last.set(at, 'person')
    for (const each of ops) await act(world, each)
    await everythingIsThere(world)
  } finally {
    await world.life?.end()
    await rm(home, { recursive: true, force: true })
  }
}

async function everythingIsThere({ life, owed, typed }: World): Promise<void> {
  for (const text of owed) {
    const bytes = Buffer.from(text)
    const state = { kind: 'file' as const, mode: 0o644, bytes: bytes.length, hash: hashOf(bytes), kept: true }
    expect([text, String(await life.ledger.contentOf(state))]).toEqual([text, text])
  }
  for (const [at, words] of typed) {
    const text = await life.documents.textOf(life.wire(at)).catch(() => null)
    for (const each of words) expect([at, each, text?.includes(each)]).toEqual([at, each, true])
  }
}

const idle: Op = { op: 'turn', of: 'a', acts: [{ tool: 'person', does: { act: 'delete', path: 'two.txt' } }] }
const turn = (tool: 'put' | 'remove', path: Path): Op => ({ op: 'turn', of: 'a', acts: [{ tool, path }] })

test('to before a turn that did nothing to a file: what was done since on another branch goes, what was taken back since comes again', async () => {
  const back = (what: 'conversation' | 'files' | 'both', turns: number): Op => ({ op: 'rewind', what, turns })
  await play([turn('remove', 'in/three.txt'), idle, back('files', 3), back('both', 1)])
  await play([turn('remove', 'in/three.txt'), idle, back('files', 3), turn('put', 'one.txt'), back('both', 2)])
  await play([idle, turn('put', 'two.txt'), back('conversation', 1), back('files', 1)])
  await play([idle, turn('put', 'two.txt'), back('conversation', 1), turn('put', 'one.txt'), back('files', 2)])
})

const DEEP = Boolean(process.env.BELAY_DEEP)
const LIVES = DEEP ? 10_000 : 300
/** Lives that are played side by side: most of each is waiting for the disk. */
const ABREAST = 3

test(`${LIVES} random lives of a folder cost nobody a byte`, { timeout: DEEP ? 7_200_000 : 300_000 }, async () => {
  const life = fc.array(op, { minLength: 3, maxLength: 9 })
  const lives = fc.array(life, { minLength: ABREAST, maxLength: ABREAST })
  // The same ones each time, so that a failure is somebody's; the deep run looks for new ones.
  const how = { numRuns: LIVES / ABREAST, ...(DEEP ? {} : { seed: 6 }) }
  await fc.assert(
    fc.asyncProperty(lives, all => Promise.all(all.map(play)).then(() => {})),
    how,
  )
})
