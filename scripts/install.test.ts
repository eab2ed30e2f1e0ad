import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

let root: string
const at = (name: string) => join(root, name)
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'belay-install-'))
  for (const name of ['install.mjs', 'run.mjs', 'caller.mjs']) {
    mkdirSync(at('scripts'), { recursive: true })
    cpSync(join(import.meta.dirname, name), at(`scripts/${name}`))
  }
  writeFileSync(at('package-lock.json'), 'one')
  // Stands in for npm: it notes what it was called with.
  writeFileSync(
    at('npm.mjs'),
    `import { appendFileSync, existsSync, mkdirSync } from 'node:fs'
     appendFileSync(${JSON.stringify(at('calls'))}, process.argv.slice(2).join(' ') + '\\n')
     mkdirSync('node_modules', { recursive: true })
     process.exitCode = existsSync('broken') ? 1 : 0`,
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function install(first = ''): SpawnSyncReturns<string> {
  const code = `${first}; const { ensureInstalled } = await import(${JSON.stringify(at('scripts/install.mjs'))}); await ensureInstalled()`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: root,
    env: { ...process.env, npm_execpath: at('npm.mjs') },
    encoding: 'utf8',
    timeout: 20_000,
  })
}
const calls = () => (existsSync(at('calls')) ? readFileSync(at('calls'), 'utf8').trim().split('\n') : [])

test('packages are installed by the lock file: once, and again when it says otherwise; a failure is said and tried again', () => {
  expect(install()).toMatchObject({ status: 0, stdout: expect.stringContaining('Installing packages') })
  expect(calls()).toEqual(['install --no-save --no-audit --no-fund --loglevel=error'])
  expect(install()).toMatchObject({ status: 0, stdout: '', stderr: '' })
  writeFileSync(at('package-lock.json'), 'two')
  writeFileSync(at('broken'), '')
  expect(install()).toMatchObject({ status: 1, stderr: expect.stringContaining('npm could not install the packages') })
  rmSync(at('broken'))
  expect(install().status).toBe(0)
  expect(install().stdout).toBe('')
  expect(calls()).toHaveLength(3)
})

test('a Node that is too old is told, before anything is changed', () => {
  const older = `globalThis.process = Object.create(process, { versions: { value: { ...process.versions, node: '20.18.3' } } })`
  expect(install(older)).toMatchObject({
    status: 1,
    stderr: 'Belay needs Node 20.19 or newer; this is 20.18.3. Nothing was changed.\n',
  })
  expect(calls()).toEqual([])
})
