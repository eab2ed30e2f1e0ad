import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BelayError } from '#contract/error'
import { SessionId } from '#contract/id'
import type { LogFile } from './log.ts'
import { emptyReplay } from './replay.ts'
import { createSessionStore, type SessionStore } from './store.ts'
import { createWriter } from './writer.ts'

const titled = (title: string) => ({ type: 'session.titled', title, by: 'person' }) as const

describe('a writer whose disk refuses', () => {
  it('changes neither the state nor the numbers, tells nobody, and goes on when it may', async () => {
    let refused = false
    const file: LogFile = {
      bytes: 0,
      append: async () => {
        if (refused) throw new BelayError('disk_full', 'The disk is full.')
      },
      sync: async () => {},
      close: async () => {},
    }
    const replayed = emptyReplay(SessionId.parse('ses_1'))
    const writer = createWriter({ replayed, file, snapshotFile: '', log: () => {} })
    const told: number[] = []
    writer.happened.on(({ from, to }) => told.push(from, to))
    await writer.append(titled('one'))
    refused = true
    const before = writer.state.facts
    const lost = [writer.append(titled('two')), writer.append(titled('three'))]
    expect((await Promise.allSettled(lost)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expect(lost[0]).rejects.toMatchObject({ code: 'disk_full' })
    expect(writer.state.facts).toBe(before)
    refused = false
    expect(await writer.append(titled('four'))).toMatchObject([{ seq: 2 }])
    expect(told).toEqual([1, 1, 2, 2])
  })

  it('refuses alone what cannot be written as JSON', async () => {
    const file: LogFile = { bytes: 0, append: async () => {}, sync: async () => {}, close: async () => {} }
    const replayed = emptyReplay(SessionId.parse('ses_1'))
    const writer = createWriter({ replayed, file, snapshotFile: '', log: () => {} })
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const [bad, good] = await Promise.allSettled([
      writer.append({ type: 'tool.started', callId: 'call_1' as never, arguments: circular }),
      writer.append(titled('fine')),
    ])
    expect(bad.status).toBe('rejected')
    expect(good).toMatchObject({ status: 'fulfilled', value: [{ seq: 1 }] })
  })
})

/** Needs the right to mount; without it the tests above stand in. */
describe('a disk of our own', () => {
  let disk: string
  let mounted = false
  let stores: SessionStore[] = []
  const newStore = (): SessionStore => {
    const options = { folder: join(disk, 'sessions'), log: () => {}, instanceId: 'ins_1', describeInstance: 'test' }
    const store = createSessionStore(options)
    stores.push(store)
    return store
  }
  const made = { roots: [], title: 'Kept', mode: 'default', producer: null } as const
  const mount = (...args: string[]): void => {
    execFileSync('mount', [...args, disk], { stdio: 'ignore' })
  }
  beforeEach(async () => {
    disk = join(await mkdtemp(join(tmpdir(), 'belay-disk-')), 'disk')
    await mkdir(disk)
    try {
      mount('-t', 'tmpfs', '-o', 'size=400k', 'none')
      mounted = true
    } catch {
      mounted = false
    }
  })
  afterEach(async () => {
    await Promise.all(stores.map(store => store.dispose()))
    stores = []
    if (mounted) execFileSync('umount', [disk])
    await rm(join(disk, '..'), { recursive: true, force: true })
  })

  it('full: says so, keeps what was acknowledged, goes on when there is space', async context => {
    if (!mounted) return context.skip('no right to mount')
    const session = await newStore().create({ ...made, roots: [] })
    await writeFile(join(disk, 'ballast'), Buffer.alloc(200_000))
    let fault: unknown = null
    let kept = 0
    while (fault === null && kept < 100) {
      await session.append(titled(`${kept}${'x'.repeat(10_000)}`)).then(
        () => kept++,
        refused => {
          fault = refused
        },
      )
    }
    expect(fault).toMatchObject({ code: 'disk_full', message: expect.stringContaining('Everything before it is kept') })
    await expect(session.blob(Buffer.alloc(300_000))).rejects.toMatchObject({ code: 'disk_full' })
    await expect(newStore().create({ ...made, roots: [] })).rejects.toMatchObject({ code: 'disk_full' })
    expect(session.state.facts.seq).toBe(1 + kept)
    await rm(join(disk, 'ballast'))
    await session.append(titled('space again'))
    await session.close()
    const again = await newStore().open(session.sessionId)
    expect(again.state.facts).toMatchObject({ seq: 2 + kept, title: 'space again' })
  })

  it('read-only: lists and reads, refuses to write in words', async context => {
    if (!mounted) return context.skip('no right to mount')
    const session = await newStore().create({ ...made, roots: [] })
    await session.close()
    mount('-o', 'remount,ro')
    const store = newStore()
    expect(await store.list({})).toMatchObject([{ title: 'Kept' }])
    await expect(store.open(session.sessionId)).rejects.toMatchObject({ code: 'read_only' })
    await expect(store.create({ ...made, roots: [] })).rejects.toMatchObject({ code: 'read_only' })
    await expect(store.setPinned(session.sessionId, true)).rejects.toMatchObject({ code: 'read_only' })
    await expect(store.remove(session.sessionId)).rejects.toMatchObject({ code: 'read_only' })
    const reader = await store.openReadOnly(session.sessionId)
    expect(reader.state.facts.title).toBe('Kept')
    await expect(reader.append(titled('no'))).rejects.toMatchObject({ code: 'read_only' })
  })
})
