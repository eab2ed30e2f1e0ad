/** Files of a project name schemas at hosts of their choosing: no server that ships calls one. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLanguageRig, type LanguageRig } from './rig.case.ts'

let rig: LanguageRig
let calls = 0
const host = createServer((_, response) => {
  calls++
  response.end('{ "type": "string" }')
})
let url: string
beforeAll(async () => {
  await new Promise<void>(done => host.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/schema.json`
  rig = await createLanguageRig()
})
afterAll(async () => {
  await rig.end()
  host.close()
})

it('JSON and YAML are checked without the schema that they ask for, and nobody is called', async () => {
  const cleanOf = async (path: string, text: string) => (await rig.verdict(path, text))?.state
  expect(await cleanOf('a.json', `{ "$schema": "${url}", "a": 1 }`)).toBe('clean')
  expect(await cleanOf('a.yaml', `# yaml-language-server: $schema=${url}\na: 1\n`)).toBe('clean')
  expect(await cleanOf('b.yaml', `$schema: ${url}\na: 1\n`)).toBe('clean')
  // A name that the catalogue of all schemas knows.
  expect(await cleanOf('.github/workflows/ci.yml', 'on: push\njobs: {}\n')).toBe('clean')
  expect(calls).toBe(0)
}, 60_000)
