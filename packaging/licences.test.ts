import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hasText, isAllowed, standIns } from './licence-rules.ts'
import { document, faultsOf, licensedAt } from './licences.ts'
import { packedPlaces } from './packed-files.ts'

const text = 'Permission is hereby granted '.repeat(20)

test('a licence is known, or it keeps Belay from being packed', () => {
  for (const known of ['MIT', '(MIT OR GPL-3.0-only)', 'BSD-3-Clause AND MIT', '(BSD-3-Clause OR GPL-2.0)', 'OFL-1.1'])
    expect([known, isAllowed(known)]).toEqual([known, true])
  for (const not of ['', 'GPL-3.0-only', 'MIT AND GPL-2.0', 'UNLICENSED', 'SEE LICENSE IN x', '((MIT))', 'mit'])
    expect([not, isAllowed(not)]).toEqual([not, false])
})

test('each fault names the package, and a package without a text is one', () => {
  const good = { name: 'a', version: '1.0.0', licence: 'MIT', text }
  expect(faultsOf([good])).toEqual([])
  expect(faultsOf([{ ...good, licence: 'GPL-3.0-only' }])).toEqual([
    'a 1.0.0: "GPL-3.0-only" is no licence that Belay may be packed with',
  ])
  expect(faultsOf([{ ...good, text: 'MIT' }])).toEqual(['a 1.0.0: it brings no text of its licence (MIT)'])
})

test('a text is said once for all who use it, in an order that does not change', () => {
  const of = (name: string, words = text) => ({ name, version: '1.0.0', licence: 'MIT', text: words })
  const one = document([of('b'), of('c', `other ${text}`), of('a'), of('a')])
  expect(one.split(text)).toHaveLength(3)
  expect(one).toMatch(/^a 1[.]0[.]0 [(]MIT[)]\nb 1[.]0[.]0 [(]MIT[)]\n\nPermission/m)
  expect(document([of('a'), of('b'), of('c', `other ${text}`)])).toBe(one)
})

test('everything that is packed has its words, its own or those that stand in for them', () => {
  expect(faultsOf(packedPlaces.map(licensedAt))).toEqual([])
  for (const name of Object.keys(standIns)) {
    const { license } = JSON.parse(
      readFileSync(join(import.meta.dirname, '../node_modules', name, 'package.json'), 'utf8'),
    ) as { license: string }
    const own = licensedAt(`node_modules/${name}`)
    expect({ name, licence: own.licence, told: hasText(own.text) }).toEqual({ name, licence: license, told: true })
  }
})
