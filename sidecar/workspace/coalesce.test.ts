import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ChangeWord, condensed, createCoalescer, merged, type RawChange } from './coalesce.ts'

const words = ['created', 'changed', 'deleted'] as const

describe('the merge table', () => {
  test.each([
    [undefined, 'created', 'created'],
    [undefined, 'changed', 'changed'],
    [undefined, 'deleted', 'deleted'],
    ['created', 'created', 'created'],
    ['created', 'changed', 'created'],
    ['created', 'deleted', null],
    ['changed', 'created', 'created'],
    ['changed', 'changed', 'changed'],
    ['changed', 'deleted', 'deleted'],
    ['deleted', 'created', 'created'],
    ['deleted', 'changed', 'deleted'],
    ['deleted', 'deleted', 'deleted'],
    [undefined, 'overflow', 'overflow'],
    ['created', 'overflow', 'overflow'],
    ['changed', 'overflow', 'overflow'],
    ['deleted', 'overflow', 'overflow'],
    ['overflow', 'created', 'overflow'],
    ['overflow', 'changed', 'overflow'],
    ['overflow', 'deleted', 'overflow'],
    ['overflow', 'overflow', 'overflow'],
  ] as const)('%s + %s = %s', (old, next, sum) => {
    expect(merged(old, next)).toBe(sum)
  })

  test('the sum agrees with the last word on whether something is there', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1 }), sequence => {
        const all = createCoalescer()
        for (const word of sequence) all.put('/a', word)
        const { changes, vanished, replaced } = all.drain()
        const sum = changes.get('/a')
        const goneAt = sequence.lastIndexOf('deleted')
        const cameAfter = goneAt >= 0 && sequence.indexOf('created', goneAt) >= 0
        // What went and came again may be something else now: it is told as both.
        if (cameAfter && sequence.at(-1) === 'created') expect(replaced.has('/a')).toBe(true)
        if (goneAt < 0) expect(replaced.size).toBe(0)
        if (sequence.at(-1) === 'created') expect(sum).toBe('created')
        if (sequence.at(-1) === 'deleted') expect(sum === 'deleted' || vanished.has('/a')).toBe(true)
      }),
    )
  })
})

test('a drain takes all at once; what comes after belongs to the next', () => {
  const all = createCoalescer()
  all.put('/a', 'created')
  all.put('/b', 'changed')
  const first = all.drain()
  all.put('/c', 'deleted')
  expect([...first.changes.keys()]).toEqual(['/a', '/b'])
  expect([...all.drain().changes.keys()]).toEqual(['/c'])
  expect(all.size).toBe(0)
})

const raw = (absolute: string, change: ChangeWord, folder = false): RawChange => ({ absolute, change, folder })

describe('condensed', () => {
  test('deletes deepest first, creates shallowest first', () => {
    const told = condensed(
      [
        raw('/r/n/x', 'created'),
        raw('/r/n', 'created', true),
        raw('/r/d', 'deleted'),
        raw('/r/e/f', 'deleted'),
        raw('/r/c', 'changed'),
      ],
      '/r',
      '/',
    )
    expect(told.map(each => each.absolute)).toEqual(['/r/e/f', '/r/d', '/r/c', '/r/n', '/r/n/x'])
  })

  test('what lies below a deleted or overflown folder is not told again', () => {
    const told = condensed(
      [raw('/r/d', 'deleted'), raw('/r/d/x', 'deleted'), raw('/r/o', 'overflow', true), raw('/r/o/y', 'created')],
      '/r',
      '/',
    )
    expect(told.map(each => each.absolute)).toEqual(['/r/d', '/r/o'])
  })

  test('what went and came again is told as both, and so is what came below it', () => {
    const told = condensed(
      [
        raw('/r/d/new', 'created'),
        raw('/r/d', 'created', true),
        raw('/r/d', 'deleted'),
        raw('/r/d/old', 'deleted'),
        raw('/r/e', 'deleted'),
        raw('/r/e/x', 'created'),
      ],
      '/r',
      '/',
    )
    expect(told.map(({ absolute, change }) => `${change} ${absolute}`)).toEqual([
      'deleted /r/d',
      'deleted /r/e',
      'created /r/d',
      'created /r/d/new',
    ])
  })

  test('crowds become an overflow of their folder, everything one of the root', () => {
    const crowd = Array.from({ length: 1500 }, (_, at) => raw(`/r/big/${at}`, 'created'))
    expect(condensed([...crowd, raw('/r/a', 'changed')], '/r', '/')).toEqual([
      raw('/r/a', 'changed'),
      raw('/r/big', 'overflow', true),
    ])
    const spread = Array.from({ length: 1500 }, (_, at) => raw(`/r/${at}/x`, 'created'))
    expect(condensed(spread, '/r', '/')).toEqual([raw('/r', 'overflow', true)])
  })

  test('every change is told, or is below one that covers it', () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 4 })
      .map(parts => `/r/${parts.join('/')}`)
    const change = fc.record({
      absolute: path,
      change: fc.constantFrom<ChangeWord>(...words, 'overflow'),
      folder: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.uniqueArray(change, { selector: each => each.absolute }), changes => {
        const told = condensed(changes, '/r', '/')
        for (const each of changes)
          expect(
            told.some(
              one =>
                one.absolute === each.absolute ||
                ((one.change === 'deleted' || one.change === 'overflow') &&
                  each.absolute.startsWith(`${one.absolute}/`)),
            ),
          ).toBe(true)
      }),
    )
  })
})
