/** What cannot be made here is at least said as it was meant: the parts of the configuration for macOS and Windows, and who publishes. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import configuration from '../electron-builder.config.ts'

const root = join(import.meta.dirname, '..')
const read = (file: unknown) => readFileSync(join(root, String(file)), 'utf8')

test('each platform has its targets, and an icon that is one', () => {
  const { linux, mac, win } = configuration
  expect([linux?.target, mac?.target, win?.target]).toEqual([['AppImage', 'deb'], ['dmg', 'zip'], ['nsis']])
  const head = (file: unknown) =>
    readFileSync(join(root, String(file)))
      .subarray(0, 4)
      .toString('latin1')
  expect([head(mac?.icon), head(win?.icon)]).toEqual(['icns', '\0\0\x01\0'])
})

test('on macOS it is hardened but for V8’s own code, and opens folders, text and links without claiming them', () => {
  const { mac } = configuration
  expect([mac?.hardenedRuntime, mac?.entitlementsInherit]).toEqual([true, mac?.entitlements])
  expect(read(mac?.entitlements).match(/<key>.*<\/key>/g)).toEqual(['<key>com.apple.security.cs.allow-jit</key>'])
  const info = (mac?.extendInfo ?? {}) as Record<string, { LSHandlerRank: string; LSItemContentTypes: string[] }[]>
  const kinds = info.CFBundleDocumentTypes ?? []
  expect(new Set(kinds.map(kind => kind.LSHandlerRank))).toEqual(new Set(['Alternate']))
  expect(kinds.flatMap(kind => kind.LSItemContentTypes)).toEqual(
    expect.arrayContaining(['public.folder', 'public.text']),
  )
  expect(mac?.protocols).toEqual([{ name: 'Belay', schemes: ['belay'] }])
})

test('on Windows it is one person’s, without elevation, and leaves nothing of its own in the menu of folders', () => {
  const { nsis } = configuration
  expect(nsis).toMatchObject({ oneClick: false, perMachine: false, allowElevation: false, packElevateHelper: false })
  const script = read(nsis?.include)
  const keys = (word: string) => [...script.matchAll(new RegExp(`${word} (\\S+)`, 'g'))].map(found => found[1])
  expect(new Set([...keys('WriteRegStr'), ...keys('DeleteRegKey')])).toEqual(new Set(['HKCU']))
  for (const key of ['Directory', 'Directory\\Background']) {
    expect(script).toContain(`addFolderMenu "${key}"`)
    expect(script).toContain(`DeleteRegKey HKCU "Software\\Classes\\${key}\\shell\\Belay"`)
  }
})

test('nobody is asked for updates unless a feed is named, and then in the feed’s own way alone', async () => {
  expect(configuration.publish).toBeNull()
  vi.stubEnv('BELAY_FEED_URL', 'https://updates.example/belay/')
  vi.stubEnv('BELAY_FEED_PUBLISHER', 'Example Ltd')
  vi.resetModules()
  const { default: published } = await import('../electron-builder.config.ts')
  vi.unstubAllEnvs()
  expect(published.publish).toEqual({ provider: 'generic', url: 'https://updates.example/belay/' })
  expect(published.win?.signtoolOptions?.publisherName).toEqual(['Example Ltd'])
})
