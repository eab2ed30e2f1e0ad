/** What looking for updates needs is loaded when somebody looks: a start of the app reads none of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const heavy = /^(electron-updater|yaml|\.\/(check|feed|installer|bounded-fetch|signature)\.ts)$/

/** Files that a start reads, from the app's first one on; types are gone by then. */
function loadedAtStart(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(join(import.meta.dirname, file), 'utf8')
  for (const [, names = '', from = ''] of text.matchAll(/^import (.+?) from '(.+?)'$/gms)) {
    if (names.startsWith('type ')) continue
    if (heavy.test(from)) seen.add(from)
    else if (from.startsWith('./') && from.endsWith('.ts')) loadedAtStart(from, seen)
  }
  return seen
}

test('neither electron-updater nor what reads a feed', () => {
  const loaded = [...loadedAtStart('./open-updates.ts')]
  expect(loaded).toEqual(expect.arrayContaining(['./updates.ts', './source.ts']))
  expect(loaded.filter(each => heavy.test(each))).toEqual([])
})
