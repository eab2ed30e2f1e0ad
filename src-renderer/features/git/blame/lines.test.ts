import { expect, test } from 'vitest'
import type { GitBlame } from '#contract/git'
import { authorOf, linesOfBlame } from './lines.ts'

const one = '1'.repeat(40)
const none = '0'.repeat(40)
const commits: GitBlame['commits'] = {
  [one]: { author: { name: 'A', email: '' }, at: 7, subject: 's', path: 'f' },
  [none]: { author: { name: 'Not Committed Yet', email: '' }, at: 0, subject: '', path: 'f' },
}

test('runs become lines across pages; what no page spoke of stays unknown', () => {
  const lines = linesOfBlame([
    { commits, runs: [{ start: 1, count: 2, commit: one, originalLine: 1 }], nextLine: 4 },
    { commits, runs: [{ start: 4, count: 1, commit: none, originalLine: 1 }], nextLine: null },
  ])
  expect(lines.map(line => line && [line.author, line.committed, line.run])).toEqual([
    ['A', true, 2],
    ['A', true, 1],
    null,
    ['Not Committed Yet', false, 1],
  ])
})

test('a long name is cut between characters', () => {
  expect(authorOf('Zoë 👩‍💻 Quux', 40)).toBe('Zoë 👩‍💻 Quux')
  expect([...authorOf('𝒜𝒷𝒸𝒹𝑒', 3)]).toEqual(['𝒜', '𝒷', '…'])
})
