/** With an executable that tells what it was started with, as the app and as Electron beside its sources. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { becomeApp, writeAppExecutable } from '../base/app-executable.case.ts'
import { main } from './open.ts'

let folder: string
const told = () => join(folder, 'told')
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-open-')))
  mkdirSync(join(folder, 'a project'))
  vi.stubEnv('DISPLAY', ':0')
  vi.stubEnv('APPIMAGE', undefined)
  vi.stubEnv('APP_TELLS', told())
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})
const started = () => expect.poll(() => readFile(told(), 'utf8').catch(() => ''), { timeout: 10_000 })

test('the app’s own executable opens the folder, as an app', async () => {
  const app = becomeApp()
  try {
    expect(await main([join(folder, 'a project')])).toBe(0)
    await started().toBe(`${join(folder, 'a project')}\n`)
  } finally {
    app.restore()
  }
})

test('the file of an AppImage is what starts; Electron beside the sources is told where they are', async () => {
  const electron = writeAppExecutable(folder, 'electron')
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', folder)
  expect(await main([])).toBe(0)
  await started().toBe(`${join(import.meta.dirname, '../..')}\n`)
  rmSync(told())
  vi.stubEnv('APPIMAGE', electron)
  const app = becomeApp()
  try {
    expect(await main([folder])).toBe(0)
    await started().toBe(`${folder}\n`)
  } finally {
    app.restore()
  }
})

test('what cannot be opened is said, with what can be done', async () => {
  let said = ''
  vi.spyOn(process.stderr, 'write').mockImplementation(text => {
    said += text
    return true
  })
  await expect(main([join(folder, 'nowhere')])).rejects.toThrow(/There is no folder/)
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', join(folder, 'nowhere'))
  expect(await main([folder])).toBe(1)
  expect(said).toMatch(/Electron’s program is not here.*belay web/)
  expect(await main(['--strange'])).toBe(1)
  expect(said).toContain('Usage: belay open')
})
