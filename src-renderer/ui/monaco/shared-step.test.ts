/** One undo takes an edit of several texts back in all of them, one redo brings it again; later typing in one stays its own. */
import * as monaco from 'monaco-editor/editor'
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js'
import { IUndoRedoService } from 'monaco-editor/platform/undoRedo/common/undoRedo.js'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { serveMonaco } from './services.ts'
import { editTogether } from './shared-step.ts'

const told: string[] = []
beforeAll(() => serveMonaco({ text: () => null, tell: (_, message) => void told.push(message) }))
afterEach(() => {
  for (const model of monaco.editor.getModels()) model.dispose()
  told.length = 0
})

const text = (name: string) =>
  monaco.editor.createModel('old()\n', 'plaintext', monaco.Uri.parse(`belay:/${name}?root_1`))
const put = (model: monaco.editor.ITextModel, word: string) => ({
  model,
  edits: [{ range: new monaco.Range(1, 1, 1, 4), text: word }],
})
const undoRedo = () => StandaloneServices.get(IUndoRedoService)

test('one step in both', async () => {
  const [a, b] = [text('a'), text('b')]
  let turned = 0
  const undo = editTogether('Rename', [put(a, 'new'), put(b, 'new')], () => turned++)
  const both = () => [a.getValue(), b.getValue()]
  expect(both()).toEqual(['new()\n', 'new()\n'])
  await undoRedo().undo(b.uri)
  expect([both(), turned]).toEqual([['old()\n', 'old()\n'], 1])
  await undoRedo().redo(a.uri)
  expect([both(), turned]).toEqual([['new()\n', 'new()\n'], 2])
  expect(undo()).toBe(true)
  await expect.poll(both).toEqual(['old()\n', 'old()\n'])
})

test('what was typed later in one of them is not lost by an undo in the other, and that is said', async () => {
  const [a, b] = [text('a'), text('b')]
  const undo = editTogether('Rename', [put(a, 'new'), put(b, 'new')], () => {})
  b.pushStackElement()
  b.pushEditOperations(null, [{ range: new monaco.Range(1, 6, 1, 6), text: ' // typed' }], () => null)
  b.pushStackElement()
  expect(undo()).toBe(false)
  await undoRedo().undo(a.uri)
  expect([a.getValue(), b.getValue()]).toEqual(['old()\n', 'new() // typed\n'])
  expect(told.join()).toContain('b')
})
