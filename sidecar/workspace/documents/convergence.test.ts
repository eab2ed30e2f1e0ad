/**
 * The law of documents: however two editors, an agent, the disk and saves interleave, whatever the wire delays, all end
 * with one text, and it is what a save writes.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyChanges, type ChangeSet } from '#contract/document-transform'
import type { BelayPayload } from '#contract/index'
import { createDocumentBuffer, type DocumentBuffer } from '../../../src-renderer/client/document-buffer.ts'
import { createPaths } from '../paths.ts'
import { openRoot, workspaceIdOf } from '../roots.ts'
import { createDocuments, type Documents } from './index.ts'

type Edited = BelayPayload<'document/edited'>
const signal = new AbortController().signal

interface Editor {
  readonly clientId: string
  readonly buffer: DocumentBuffer
  /** What an editor widget shows, kept only by the changes it made and was given. */
  shown: string
  readonly inbox: Edited[]
}

type Step =
  | { kind: 'type'; who: number; at: number; drop: number; text: string }
  | { kind: 'send'; who: number }
  | { kind: 'deliver'; who: number }
  | { kind: 'agent'; at: number; drop: number; text: string }
  | { kind: 'disk'; at: number; text: string }
  | { kind: 'save' }

const spot = fc.double({ min: 0, max: 1, noNaN: true })
const who = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('type'),
      who,
      at: spot,
      drop: fc.nat(3),
      text: fc.constantFrom('1', '2\n', '\r\n3'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send'), who }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('deliver'), who }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('agent'), at: spot, drop: fc.nat(3), text: fc.constantFrom('A', 'G\n') }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('disk'), at: spot, text: fc.constant('D') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('save') }) },
) as fc.Arbitrary<Step>

const edits = (text: string, at: number, drop: number, put: string): ChangeSet => {
  const from = Math.floor(at * text.length)
  return [{ from, to: Math.min(text.length, from + drop), text: put }]
}

async function run(documents: Documents, folder: string, file: string, steps: readonly Step[]): Promise<void> {
  const root = await openRoot(folder)
  const path = { rootId: root.rootId, path: file }
  const absolute = join(root.absolute, file)
  await writeFile(absolute, 'one\r\ntwo\nthree')
  const editors: Editor[] = []
  const stop = documents.events.on(({ name, payload }) => {
    if (name === 'document/edited') for (const each of editors) each.inbox.push(payload as Edited)
  })
  let documentId: Edited['documentId'] | undefined
  for (const clientId of ['left', 'right']) {
    const opened = await documents.handlers.open({ workspaceId: workspaceIdOf(folder), path }, { clientId, signal })
    documentId = opened.state.documentId as Edited['documentId']
    const buffer = createDocumentBuffer({ text: opened.text, version: opened.state.version }, clientId)
    editors.push({ clientId, buffer, shown: opened.text, inbox: [] })
  }
  if (!documentId) throw new Error('not opened')
  const id = documentId
  const paths = createPaths(() => [root])

  const deliver = (editor: Editor): void => {
    const edited = editor.inbox.shift()
    if (!edited) return
    const changes = editor.buffer.receive(edited)
    if (changes === 'gap') throw new Error('an event was missed')
    editor.shown = applyChanges(editor.shown, changes)
  }
  const send = async ({ buffer, clientId }: Editor): Promise<void> => {
    const next = buffer.take()
    if (next) await documents.handlers.change({ documentId: id, ...next }, { clientId, signal })
  }
  const act = async (step: Step): Promise<void> => {
    const editor = 'who' in step ? editors[step.who] : undefined
    if (step.kind === 'send' && editor) return send(editor)
    if (step.kind === 'deliver' && editor) return deliver(editor)
    if (step.kind === 'type' && editor) {
      const changes = edits(editor.shown, step.at, step.drop, step.text)
      editor.shown = applyChanges(editor.shown, changes)
      return editor.buffer.edit(changes)
    }
    if (step.kind === 'agent') {
      const make = (saved: { text: string } | null) => edits(saved?.text ?? '', step.at, step.drop, step.text)
      await documents.agentEdit({ path: await paths.resolve(file), expect: 'any', make })
    }
    if (step.kind === 'disk') {
      const text = await readFile(absolute, 'utf8')
      await writeFile(absolute, applyChanges(text, edits(text, step.at, 0, step.text)))
      await documents.diskChanged([absolute])
    }
    // A conflict is an answer, not a fault of the property.
    if (step.kind === 'save')
      await Promise.resolve(
        documents.handlers.save({ documentId: id, force: false }, { clientId: 'left', signal }),
      ).catch(() => {})
  }
  for (const each of steps) await act(each)
  while (editors.some(({ buffer, inbox }) => buffer.waiting || inbox.length > 0)) {
    for (const editor of editors) {
      await send(editor)
      deliver(editor)
    }
  }
  stop()
  await documents.handlers.save({ documentId: id, force: true }, { clientId: 'left', signal })
  const written = await readFile(absolute, 'utf8')
  const texts = editors.flatMap(({ buffer, shown }) => [buffer.text, shown])
  expect(texts).toEqual(Array(4).fill(written))
  for (const { clientId } of editors) await documents.handlers.close({ documentId: id }, { clientId, signal })
}

it('two editors, an agent, the disk and saves end with one text everywhere', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-converge-'))
  const inside = join(folder, 'work')
  await mkdir(inside)
  const root = await openRoot(inside)
  const documents = createDocuments({
    workspaceId: workspaceIdOf(inside),
    paths: createPaths(() => [root]),
    backupFolder: join(folder, 'backups'),
    log: () => {},
  })
  let number = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), steps => run(documents, inside, `${number++}.txt`, steps)),
      { numRuns: 120 },
    )
  } finally {
    await documents.dispose()
    await rm(folder, { recursive: true, force: true })
  }
})
