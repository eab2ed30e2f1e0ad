/** Thinking that comes as text: told apart wherever it is cut, and words about the marks are left alone. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createThinkTags } from './think-tags.ts'

function split(pieces: readonly string[]) {
  const tags = createThinkTags()
  const drafts = [...pieces.flatMap(piece => tags.feed(piece)), ...tags.end()]
  const of = (type: string) => drafts.flatMap(draft => (draft.type === type ? [draft.text ?? ''] : [])).join('')
  return { thinking: of('THINKING_DELTA'), text: of('TEXT_DELTA') }
}
const cases: readonly [string, { thinking: string; text: string }][] = [
  ['plain', { thinking: '', text: 'plain' }],
  ['<think>hm</think>\n\nok', { thinking: 'hm', text: 'ok' }],
  ['\n<think>\nhm', { thinking: '\nhm', text: '' }],
  ['<think>a < b </thin</think>ok </think>', { thinking: 'a < b </thin', text: 'ok </think>' }],
  ['say <think>x</think>', { thinking: '', text: 'say <think>x</think>' }],
  ['<thi', { thinking: '', text: '<thi' }],
  ['  ', { thinking: '', text: '  ' }],
  ['<thinking>x', { thinking: '', text: '<thinking>x' }],
]
it.each(cases)('%j', (text, expected) => {
  expect(split([text])).toEqual(expected)
  expect(split([...text])).toEqual(expected)
})
it('the same, wherever it is cut', () =>
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('<think>', '</think>', '<', '</th', 'ink>', ' ', '\n', 'a', '>'), { maxLength: 10 }),
      pieces => {
        expect(split(pieces)).toEqual(split([pieces.join('')]))
      },
    ),
  ))
