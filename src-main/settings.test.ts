import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { settingDefs } from '#contract/settings-schema'
import { readMainSettings } from './settings.ts'

let config: string
beforeEach(async () => {
  config = await mkdtemp(join(tmpdir(), 'belay-config-'))
})
afterEach(() => rm(config, { recursive: true, force: true }))

const defaults = {
  theme: 'system',
  language: 'system',
  zoom: 100,
  restoreWindows: 'all',
  titleBarStyle: 'custom',
  links: true,
  updateCheck: 'manual',
}
const read = async (text: string) => {
  await writeFile(join(config, 'settings.json'), text)
  return readMainSettings(config)
}

test('without a file main has the defaults of the settings', () => {
  expect(readMainSettings(config)).toEqual(defaults)
  expect(defaults).toEqual({
    theme: settingDefs['appearance.theme'].default,
    language: settingDefs['appearance.language'].default,
    zoom: settingDefs['appearance.zoom'].default,
    restoreWindows: settingDefs['window.restoreWindows'].default,
    titleBarStyle: settingDefs['window.titleBarStyle'].default,
    links: settingDefs['links.open'].default,
    updateCheck: settingDefs['update.check'].default,
  })
})

test('comments, foreign lines and broken ones cost nothing else', async () => {
  const text =
    '// mine\n{ "appearance.theme": "light", "window.restoreWindows": "some", "x": [1,], "appearance.language": zh\n'
  expect(await read(text)).toEqual({ ...defaults, theme: 'light' })
  expect(await read('{ "links.open": false }')).toEqual({ ...defaults, links: false })
  expect(await read('{ "update.check": "off" }')).toEqual({ ...defaults, updateCheck: 'off' })
})

test('whatever stands there, it is one of the choices', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.json().map(value => `{"appearance.theme":${value}}`),
      ),
      async text => {
        expect(settingDefs['appearance.theme'].choices).toContain((await read(text)).theme)
      },
    ),
    { numRuns: 100 },
  )
})
