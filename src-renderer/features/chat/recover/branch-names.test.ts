import { describe, expect, it } from 'vitest'
import { branchNameFor, nextTitle } from './branch-names.ts'

describe('nextTitle', () => {
  it.each([
    ['Sort it', [], 'Sort it 2'],
    ['Sort it', ['Sort it', 'Sort it 2'], 'Sort it 3'],
    ['Sort it 2', ['Sort it', 'Sort it 2'], 'Sort it 3'],
    ['Year 2026', [], 'Year 2026 2'],
  ])('%s beside %j', (title, taken, expected) =>
    expect(
      nextTitle(
        title,
        taken.map(each => ({ title: each })),
      ),
    ).toBe(expected),
  )
})

describe('branchNameFor', () => {
  it.each([
    ['Sort it 2', 'belay/sort-it-2'],
    ['../..~^: @{x}.lock', 'belay/x-lock'],
    ['按名称排序', 'belay/按名称排序'],
    ['…', ''],
  ])('%s', (title, expected) => expect(branchNameFor(title)).toBe(expected))
})
