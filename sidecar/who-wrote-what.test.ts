/**
 * Random writes by agents' tools and commands, a person and programs outside, on a real folder through the real documents: what
 * the ledger says is what happened, and bringing back never costs a byte that somebody else wrote.
 */
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallId, SessionId, TurnId } from '#contract/id'
import type { Writer } from '#contract/ledger'
import { createCheckpoints } from './checkpoint/checkpoints.ts'
import { hashOf } from './checkpoint/contents.ts'
import type { Author, Bracket } from './checkpoint/ledger.ts'
import { defaultLimits } from './checkpoint/prune.ts'
import type { WrittenBy } from './workspace/documents/told-write.ts'
import { putBackHands } from './workspace/put-back-hands.ts'
import { createWorkspaces } from './workspace/service.ts'

const writer = (session: string): Writer => ({
  sessionId: SessionId.parse(`ses_${session}`),
  turnId: TurnId.parse(`trn_${session}`),
  callId: CallId.parse(`call_${session}`),
})
const authorOf = (by: WrittenBy): Author => {
  if (by === 'restore') return { by: 'person', via: 'restore' }
  return by ? { by: 'agent', via: 'tool', writer: by } : { by: 'person', via: 'editor' }
}

async function createPlace() {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'belay-who-')))
  const root = join(home, 'root')
  await mkdir(root)
  const under = (name: string) => join(home, 'belay', name)
  const folders = { config: under('config'), data: under('data'), state: under('state'), cache: under('cache') }
  const workspaces = createWorkspaces({
    ...{ folders, log: () => {}, env: process.env },
    onWriting: (id, absolute, by) => checkpoints.of(id).writing(absolute, authorOf(by)),
    onTouched: (id, absolutes) => {
      for (const each of absolutes) checkpoints.of(id).wrote(each, { by: 'person', via: 'explorer' })
    },
  })
  const checkpoints = createCheckpoints({
    folder: join(folders.data, 'checkpoints'),
    data: folders.data,
    instanceId: 'test',
    log: () => {},
    leftOut: () => ({ allow: [], extra: [] }),
    limits: () => defaultLimits,
    workspace: id => workspaces.get(id).info,
  })
  const workspace = await workspaces.open(root, { trust: 'full' })
  const ledger = checkpoints.of(workspace.info.workspaceId)
  const rootId = workspace.info.roots[0]?.rootId as NonNullable<(typeof workspace.info.roots)[0]>['rootId']
  return {
    root,
    workspace,
    ledger,
    wire: (path: string) => ({ rootId, path }),
    async end() {
      await checkpoints.dispose()
      await workspaces.dispose()
      await rm(home, { recursive: true, force: true })
    },
  }
}
type Place = Awaited<ReturnType<typeof createPlace>>

type Who = 'person' | 'outside' | 'tool:a' | 'tool:b' | 'command:a' | 'command:b'
type Op = { op: 'write' | 'delete'; who: Who; path: string } | { op: 'bracket'; of: 'a' | 'b' } | { op: 'checkpoint' }

const paths = ['one.txt', 'two.txt', 'in/three.txt', 'in/deep/four.txt']
const op = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      op: fc.constantFrom('write' as const, 'write' as const, 'delete' as const),
      who: fc.constantFrom<Who>('person', 'outside', 'tool:a', 'tool:b', 'command:a', 'command:b'),
      path: fc.constantFrom(...paths),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ op: fc.constant('bracket' as const), of: fc.constantFrom('a' as const, 'b' as const) }),
  },
  { weight: 1, arbitrary: fc.constant<Op>({ op: 'checkpoint' }) },
)

/** What was truly done, by whom, as far as a later look can tell it. */
interface Truth {
  /** By the hash of a content: each is written once. */
  readonly wrote: Map<string, Who>
  readonly deleted: Map<string, Set<Who>>
  made: number
}

async function act(place: Place, truth: Truth, each: Op & { op: 'write' | 'delete' }): Promise<void> {
  const { root, workspace, wire } = place
  const { who, path } = each
  const absolute = join(root, path)
  const there = await readFile(absolute, 'utf8').catch(() => null)
  if (each.op === 'delete') {
    if (there === null || who.startsWith('tool')) return
    truth.deleted.set(path, new Set([...(truth.deleted.get(path) ?? []), who]))
    if (who === 'person') await workspace.operations.remove([wire(path)])
    else await rm(absolute)
    return
  }
  const text = `${++truth.made} by ${who}\n`
  truth.wrote.set(hashOf(Buffer.from(text)), who)
  if (who === 'outside' || who.startsWith('command')) {
    await mkdir(dirname(absolute), { recursive: true })
    await writeFile(absolute, text)
  } else if (who === 'person') {
    if (there === null) {
      truth.wrote.set(hashOf(Buffer.from('')), who)
      await workspace.operations.createFile(wire(path))
    }
    await workspace.documents.edit(wire(path), now => [{ from: 0, to: now.length, text }])
  } else {
    const resolved = await workspace.paths.resolve(absolute)
    await workspace.documents.agentEdit({
      path: resolved,
      expect: 'any',
      make: () => text,
      writer: writer(who.slice(5)),
    })
  }
}

const kindOf = (who: Who) => (who === 'person' || who === 'outside' ? who : 'agent')

async function run(ops: readonly Op[]): Promise<void> {
  const place = await createPlace()
  try {
    const { ledger, root, wire } = place
    const truth: Truth = { wrote: new Map(), deleted: new Map(), made: 0 }
    await act(place, truth, { op: 'write', who: 'outside', path: 'one.txt' })
    await act(place, truth, { op: 'write', who: 'outside', path: 'in/three.txt' })
    let mark = await ledger.take()
    let then = await contentsOf(root)
    const open = new Map<'a' | 'b', Bracket>()
    for (const each of ops) {
      if (each.op === 'checkpoint') {
        mark = await ledger.take()
        then = await contentsOf(root)
      } else if (each.op === 'bracket') {
        const running = open.get(each.of)
        open.delete(each.of)
        if (running) await running.end()
        else open.set(each.of, await ledger.bracket({ by: 'agent', via: 'command', writer: writer(each.of) }))
      } else {
        const command = each.who.startsWith('command') ? (each.who.slice(8) as 'a' | 'b') : null
        // A command writes while it runs; what some other program writes meanwhile nobody can tell from it.
        if (command !== null ? !open.has(command) : each.who === 'outside' && open.size > 0) continue
        await act(place, truth, each)
      }
    }
    for (const running of open.values()) await running.end()
    await ledger.take()

    for (const path of paths) {
      const lines = await ledger.writesOf(wire(path))
      for (const line of lines) {
        if (line.after) {
          const who = truth.wrote.get(line.after.hash)
          expect([path, line.by]).toEqual([path, who && kindOf(who)])
          if (who && kindOf(who) === 'agent')
            expect(line.writers.map(one => one.sessionId)).toContain(`ses_${who.at(-1)}`)
        } else expect([...(truth.deleted.get(path) ?? [])].map(kindOf)).toContain(line.by)
      }
      const last = lines.at(-1)
      const bytes = await readFile(join(root, path)).catch(() => null)
      if (last) expect([path, last.after?.hash ?? null]).toEqual([path, bytes && hashOf(bytes)])
    }

    if (!mark) throw new Error('no checkpoint')
    const before = await contentsOf(root)
    const since = (await ledger.since(mark.checkpointId)) ?? []
    const mine = ({ sessionId }: Writer) => sessionId === 'ses_a'
    const hands = putBackHands(place.workspace, mark.at)
    const restored = await ledger.restore({ checkpointId: mark.checkpointId, mine }, hands)
    expect(restored?.failed).toBe(null)
    const after = await contentsOf(root)
    for (const path of new Set([...paths, ...Object.keys(before)])) {
      const lines = since.filter(line => line.path.path === path)
      const foreign = lines.some(({ by, writers }) => by !== 'agent' || !writers.every(mine))
      expect([path, after[path]]).toEqual([path, foreign || lines.length === 0 ? before[path] : then[path]])
    }
    if (!restored) throw new Error('nothing restored')
    await ledger.restore({ checkpointId: restored.before.checkpointId, mine }, hands)
    expect(await contentsOf(root)).toEqual(before)
  } finally {
    await place.end()
  }
}

async function contentsOf(root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const absolute = join(entry.parentPath, entry.name)
      found[absolute.slice(root.length + 1)] = await readFile(absolute, 'utf8')
    }
  return found
}

test('the ledger says what happened, and bringing back costs nobody else a byte', { timeout: 180_000 }, async () => {
  const numRuns = Number(process.env.BELAY_DEEP ? 300 : 25)
  await fc.assert(fc.asyncProperty(fc.array(op, { minLength: 4, maxLength: 25 }), run), { numRuns })
})
