import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const words = ['web', 'run', 'doctor', 'version', 'help']

test('slips of the finger are forgiven, other words are not', () => {
  expect(['wbe', 'docter', 'versoin', 'HELP', 'ru', 'doc'].map(word => nearest(word, words))).toEqual([
    'web',
    'doctor',
    'version',
    'help',
    'run',
    null,
  ])
  expect(nearest('frobnicate', words)).toBe(null)
})

test('a word is nearest to itself', () => {
  fc.assert(fc.property(fc.constantFrom(...words), word => nearest(word, words) === word))
})
