/** Files of a project name schemas at hosts of their choosing, and packages whose types are elsewhere: no server that ships fetches any. */
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLanguageRig, type LanguageRig } from './rig.case.ts'

let rig: LanguageRig
let calls = 0
const host = createServer((_, response) => {
  calls++
  response.end('{ "type": "string" }')
})
let url: string
/** Holds an `npm` that only says that it was called. */
let bin: string
const path = process.env.PATH ?? ''
beforeAll(async () => {
  await new Promise<void>(done => host.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/schema.json`
  bin = await mkdtemp(join(tmpdir(), 'belay-npm-'))
  await writeFile(join(bin, 'npm'), '#!/bin/sh\ntouch "$(dirname "$0")/called"\n')
  await chmod(join(bin, 'npm'), 0o755)
  process.env.PATH = `${bin}${delimiter}${path}`
  rig = await createLanguageRig()
})
afterAll(async () => {
  await rig.end()
  host.close()
  process.env.PATH = path
  await rm(bin, { recursive: true, force: true })
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

it('JavaScript is checked with the types that are there: no package manager is started for others', async () => {
  await rig.verdict('package.json', '{ "dependencies": { "lodash": "4" } }')
  const text = "import lodash from 'lodash'\nlodash.map([])\n"
  expect((await rig.verdict('a.js', text))?.state).toBe('clean')
  // Asked once more: by now the server would have begun.
  expect((await rig.verdict('a.js', `${text}lodash.map([1])\n`))?.state).toBe('clean')
  expect(existsSync(join(bin, 'called'))).toBe(false)
}, 60_000)
