import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const pack = (...args: string[]) => {
  const env = { PATH: process.env.PATH, ELECTRON_OVERRIDE_DIST_PATH: join(import.meta.dirname, 'nowhere') }
  const script = join(import.meta.dirname, 'package.mjs')
  const { status, stderr } = spawnSync(process.execPath, [script, ...args], { env, encoding: 'utf8', timeout: 10_000 })
  return { status, said: stderr }
}

test('where Electron’s program is missing, packing says so and how to get it, and does nothing else', () => {
  expect(pack()).toEqual({
    status: 1,
    said: expect.stringMatching(/was not packed: Electron's own program is not here .*nowhere.*npx install-electron/s),
  })
  expect(pack('--everything')).toEqual({ status: 1, said: expect.stringContaining('"--everything" is not understood') })
})
