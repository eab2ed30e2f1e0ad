/** A connection that breaks at any moment costs no keystroke: what was typed arrives once, whichever end forgot what. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { applyChanges } from '#contract/document-transform'
import { BelayError } from '#contract/error'
import { createDocuments, type Documents } from '../../sidecar/workspace/documents/index.ts'
import { createPaths } from '../../sidecar/workspace/paths.ts'
import { openRoot, workspaceIdOf } from '../../sidecar/workspace/roots.ts'
import { createDocumentSession, type DocumentSession, type Edited } from './document-session.ts'

const signal = new AbortController().signal
let base = ''
let documents: Documents

async function startSidecar(): Promise<Documents> {
  const root = await openRoot(join(base, 'work'))
  return createDocuments({
    workspaceId: workspaceIdOf(root.absolute),
    paths: createPaths(() => [root]),
    backupFolder: join(base, 'b'),
    log: () => {},
  })
}

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'belay-session-')))
  await mkdir(join(base, 'work'))
  await writeFile(join(base, 'work', 'a.txt'), 'text')
  documents = await startSidecar()
})
afterEach(async () => {
  await documents.dispose()
  await rm(base, { recursive: true, force: true })
})

type Wire = { change: 'works' | 'lost before' | 'lost after' }

async function openWindow(clientId: string) {
  const root = await openRoot(join(base, 'work'))
  const workspaceId = workspaceIdOf(root.absolute)
  const path = { rootId: root.rootId, path: 'a.txt' }
  const wire: Wire = { change: 'works' }
  const context = { clientId, signal }
  const calls = {
    open: async (params: never) => (await documents.handlers.open(params, context)) as never,
    change: async (params: never) => {
      if (wire.change === 'lost before') throw new BelayError('disconnected', 'gone')
      const answer = (await documents.handlers.change(params, context)) as never
      if (wire.change === 'lost after') throw new BelayError('disconnected', 'gone')
      return answer
    },
  }
  const opened = await calls.open({ workspaceId, path } as never)
  const window = { shown: 'text', wire, session: null as unknown as DocumentSession, listen: () => () => {} }
  window.session = createDocumentSession({
    workspaceId,
    path,
    opened,
    epoch: 'one',
    clientId,
    calls: calls as never,
    onState: () => {},
    onWaiting: () => {},
  })
  window.session.onIncoming(changes => {
    window.shown = applyChanges(window.shown, changes)
  })
  window.listen = () =>
    documents.events.on(({ name, payload }) => {
      if (name === 'document/edited' && wire.change !== 'lost after') window.session.receive(payload as Edited)
    })
  return window
}

const type = (window: { shown: string; session: DocumentSession }, at: number, text: string) => {
  const changes = [{ from: at, to: at, text }]
  window.shown = applyChanges(window.shown, changes)
  window.session.edit(changes)
}

for (const lost of ['lost before', 'lost after'] as const) {
  it(`sends once what was ${lost} it arrived, beside what another window typed`, async () => {
    const left = await openWindow('left')
    const right = await openWindow('right')
    left.listen()
    right.listen()
    left.wire.change = lost
    type(left, 4, ' from left')
    await expect.poll(() => left.session.waiting).toBe(true)
    type(right, 0, 'right: ')
    await right.session.settled()
    type(left, left.shown.length, '!')
    left.wire.change = 'works'
    await left.session.reopen('one')
    await left.session.settled()
    await right.session.settled()
    const texts = [left.shown, left.session.text, right.shown, right.session.text]
    expect(texts).toEqual(Array(4).fill('right: text from left!'))
  })
}

it('brings back what a sidecar that was killed had not kept yet', async () => {
  const window = await openWindow('left')
  window.listen()
  type(window, 4, ' typed')
  await window.session.settled()
  documents = await startSidecar()
  window.listen()
  await window.session.reopen('two')
  await window.session.settled()
  const again = await openWindow('other')
  expect([window.shown, window.session.text, again.session.text]).toEqual(Array(3).fill('text typed'))
})

it('what the new sidecar could not open is for a save to say, in its words', async () => {
  const window = await openWindow('one')
  window.session.lost()
  await documents.dispose()
  await rm(join(base, 'work', 'a.txt'))
  documents = await startSidecar()
  const settled = window.session.settled()
  await window.session.reopen('two')
  await settled
})

it('is settled after a restart only under the name that the new sidecar gave it', async () => {
  const window = await openWindow('one')
  const before = window.session.documentId
  await documents.dispose()
  window.session.lost()
  documents = await startSidecar()
  // Who saves at once, before anything was opened anew, waits as well.
  const settled = window.session.settled()
  const opening = window.session.reopen('two')
  await settled
  await opening
  expect(window.session.documentId).not.toBe(before)
  const saved = await documents.handlers.save(
    { documentId: window.session.documentId, force: false },
    { clientId: 'one', signal },
  )
  expect(saved.dirty).toBe(false)
})

it('lets nothing in or out while an input method composes', async () => {
  const left = await openWindow('left')
  const right = await openWindow('right')
  left.listen()
  right.listen()
  const release = left.session.hold()
  type(left, 4, ' 你')
  type(right, 0, '> ')
  await right.session.settled()
  expect([left.shown, right.shown]).toEqual(['text 你', '> text'])
  release()
  await left.session.settled()
  expect([left.shown, right.shown]).toEqual(['> text 你', '> text 你'])
})
