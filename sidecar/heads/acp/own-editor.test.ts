/** On a real disk, with an editor that shows what it is told to. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import type { AgentContext } from '@agentclientprotocol/sdk'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createOwnEditor } from './own-editor.ts'

let folder: string
let file: string
/** What the editor shows; a promise: when it has thought of it. */
let shown: string | Promise<string>
let asked: string[]
const acp = {
  async request(
    method: string,
    { content }: { content?: string },
    { cancellationSignal }: { cancellationSignal: AbortSignal },
  ) {
    asked.push(method)
    if (content !== undefined) return writeFile(file, content)
    const gone = new Promise((_, reject) => cancellationSignal.addEventListener('abort', reject))
    return { content: await Promise.race([shown, gone]) }
  },
} as unknown as AgentContext
const onDisk = () => readFile(file, 'utf8')
/** So that what was written before counts as written before. */
const aMoment = () => after(150)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-own-editor-'))
  file = join(folder, 'a.txt')
  asked = []
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('what was typed since is saved, turn after turn; what was not is not', async () => {
  const editor = createOwnEditor(acp)
  const save = () => editor.during(() => editor.save('ses_1', file))
  await writeFile(file, 'one\r\n')
  await aMoment()
  shown = 'one, typed\n'
  await save()
  expect(await onDisk()).toBe('one, typed\r\n')
  // The agent writes; the editor does not look.
  await writeFile(file, 'two\r\n')
  await aMoment()
  await save()
  expect(await onDisk()).toBe('two\r\n')
  shown = 'two, typed\n'
  await save()
  expect(await onDisk()).toBe('two, typed\r\n')
  expect(asked.filter(each => each.includes('write'))).toHaveLength(2)
})

test('nothing is saved over what was written since the prompt began, also while the editor was thinking', async () => {
  const editor = createOwnEditor(acp)
  await writeFile(file, 'one\n')
  await editor.save('ses_1', file)
  expect(asked).toEqual([])
  await aMoment()
  await editor.during(async () => {
    let answer = (_: string) => {}
    shown = new Promise(resolve => {
      answer = resolve
    })
    const saving = editor.save('ses_1', file)
    await expect.poll(() => asked).toEqual(['fs/read_text_file'])
    await writeFile(file, 'two\n')
    answer('one, typed\n')
    await saving
    await editor.save('ses_1', file)
  })
  expect(await onDisk()).toBe('two\n')
  expect(asked).toEqual(['fs/read_text_file'])
})

test('one that does not answer is asked again with the next prompt; a last line end is no typing', async () => {
  const editor = createOwnEditor(acp, 20)
  await writeFile(file, 'one\n')
  await aMoment()
  shown = new Promise(() => {})
  await editor.during(async () => {
    await editor.save('ses_1', file)
    await editor.save('ses_1', file)
  })
  expect(asked).toHaveLength(1)
  shown = 'one'
  await editor.during(() => editor.save('ses_1', file))
  expect(asked).toHaveLength(2)
  expect(await onDisk()).toBe('one\n')
})
