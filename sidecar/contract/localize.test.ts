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
  'it sets the clock': '它设置时钟',
  '{0} changes what git does': '{0} 会改变 git 的行为',
  'It is not understood: {0}.': '无法理解它：{0}。',
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

test('a reason is found as it is, as a sentence, behind what it is about, and within a sentence', () => {
  const localize = createLocalize(words)
  expect(localize('It sets the clock.')).toBe('它设置时钟。')
  expect(localize('`date -s 1`: It sets the clock.')).toBe('`date -s 1`: 它设置时钟。')
  expect(localize('`git -c a=b log. Try again.`: -c changes what git does. Nothing was changed.')).toBe(
    '`git -c a=b log. Try again.`: -c 会改变 git 的行为。什么也没有更改。',
  )
  expect(localize('It is not understood: it sets the clock.')).toBe('无法理解它：它设置时钟。')
  expect(localize('`rm x`: It is so.')).toBe('`rm x`: It is so.')
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
