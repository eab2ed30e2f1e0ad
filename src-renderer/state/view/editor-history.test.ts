import { beforeEach, expect, test } from 'vitest'
import type { RootId } from '#contract/id'
import { forgetPlaces, travel, visit } from './editor-history.ts'

const at = (path: string, line: number) => ({ path: { rootId: 'root_a' as RootId, path }, line, column: 1 })
beforeEach(forgetPlaces)

test('goes back over places, not over single steps, and forward again', () => {
  for (const place of [at('a', 1), at('a', 4), at('a', 90), at('b', 1)]) visit(place)
  const walked = [travel(-1), travel(-1), travel(-1), travel(1)].map(
    place => place && ['path' in place.path && place.path.path, place.line],
  )
  expect(walked).toEqual([['a', 90], ['a', 4], null, ['a', 90]])
})

test('a new place forgets what lay ahead', () => {
  for (const place of [at('a', 1), at('b', 1)]) visit(place)
  travel(-1)
  visit(at('c', 1))
  expect([travel(1), travel(-1)?.path]).toEqual([null, at('a', 1).path])
})
