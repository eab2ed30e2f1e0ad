import fc from 'fast-check'
import { expect, test } from 'vitest'
import chinese from '../../resources/core-words/zh-CN.json' with { type: 'json' }
import { createLocalize } from './localize.ts'

const words = {
  'Nothing was changed.': '什么也没有更改。',
  'Try again.': '请重试。',
  '{0}: the disk is full.': '{0}：磁盘已满。',
  'Line {0}: {1}.': '第 {0} 行：{1}。',
  '{0}: it is {1}, not {0}.': '{0}：它是 {1}，不是 {0}。',
  '{0} is a link that leads outside.': '{0} 指向外面。',
  'Not committed': '没有提交',
}

test('sentences are found whole, in a row, with what was put in, and within one another', () => {
  const localize = createLocalize(words)
  expect(localize('Nothing was changed.')).toBe('什么也没有更改。')
  expect(localize('Nothing was changed. Try again.')).toBe('什么也没有更改。请重试。')
  expect(localize('Not committed: the disk is full.')).toBe('没有提交：磁盘已满。')
  expect(localize('a/b c.ts is a link that leads outside. Nothing was changed.')).toBe(
    'a/b c.ts 指向外面。什么也没有更改。',
  )
  expect(localize('Line 3: Nothing was changed.')).toBe('第 3 行：什么也没有更改。')
  expect(localize('Line 3: it is so.')).toBe('第 3 行：it is so。')
  expect(localize('a: it is b, not a.')).toBe('a：它是 b，不是 a。')
})

test('what is not known stays as it was said, also between what is; a translation is not translated again', () => {
  const localize = createLocalize(words)
  expect(localize('EPIPE: write failed')).toBe('EPIPE: write failed')
  expect(localize('It is so. Nothing was changed. And so on.')).toBe('It is so. 什么也没有更改。And so on.')
  expect(localize('什么也没有更改。')).toBe('什么也没有更改。')
  expect(localize('')).toBe('')
})

test('text with signs of patterns does no harm and takes no time', () => {
  const localize = createLocalize(chinese)
  fc.assert(fc.property(fc.string({ maxLength: 300 }), said => typeof localize(said) === 'string'))
  const began = performance.now()
  for (const sentence of ['a. ', '{0} ', 'It ', ': ', ' is left for this turn; '])
    for (const length of [500, 2000, 100_000]) localize(sentence.repeat(length).slice(0, length))
  expect(performance.now() - began).toBeLessThan(3000)
})

test('every sentence of the core is found again with anything in its holes', () => {
  const localize = createLocalize(chinese)
  const filling = fc.constantFrom('src/a.ts', 'main', '42', 'Ada Lovelace')
  for (const english of Object.keys(chinese)) {
    fc.assert(
      fc.property(filling, word => {
        const said = english.replace(/\{\d\}/g, word)
        return localize(said) !== said
      }),
      { numRuns: 4 },
    )
  }
})
