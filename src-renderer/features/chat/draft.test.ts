/** What a person wrote while a prompt was on its way is still theirs. */
import { beforeEach, expect, it } from 'vitest'
import { RootId } from '#contract/id'
import { chatDraft, type PastedBytes, pasted, takeOut } from './draft.ts'

const rootId = RootId.parse('root_a')
const [first, second] = [
  { rootId, path: 'a.ts' },
  { rootId, path: 'b.ts' },
] as const
const bytes = (name: string): PastedBytes => ({ kind: 'bytes', name, mediaType: 'image/png', base64: '' })

beforeEach(() => {
  chatDraft.set({ text: '', paths: [] })
  pasted.setState({ files: [] })
})

it.each([
  ['untouched', 'Mend it.', ''],
  ['went on', 'Mend it. And test it.', 'And test it.'],
  ['wrote something else', 'Now this', 'Now this'],
  ['was emptied', '', ''],
])('the field that %s keeps what was not sent', (_, now, left) => {
  chatDraft.set({ text: now, paths: [] })
  takeOut({ text: 'Mend it.', paths: [] }, [])
  expect(chatDraft.get().text).toBe(left)
})

it('files that were attached meanwhile stay attached', () => {
  const sent = { text: 'Look', paths: [first] }
  const [before, after] = [bytes('before.png'), bytes('after.png')]
  chatDraft.set({ text: 'Look', paths: [first, second] })
  pasted.setState({ files: [before, after] })
  takeOut(sent, [before])
  expect(chatDraft.get()).toEqual({ text: '', paths: [second] })
  expect(pasted.getState().files).toEqual([after])
})
