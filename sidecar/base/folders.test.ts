import { expect, test } from 'vitest'
import { foldersOf } from './folders.ts'

test('each system has its own places, a person may move them, and BELAY_HOME moves all', () => {
  const HOME = '/home/ann'
  expect(foldersOf({ HOME }, 'linux')).toEqual({
    config: '/home/ann/.config/belay',
    data: '/home/ann/.local/share/belay',
    state: '/home/ann/.local/state/belay',
    cache: '/home/ann/.cache/belay',
  })
  const moved = { XDG_CONFIG_HOME: '/c', XDG_DATA_HOME: '/d', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/x' }
  expect(Object.values(foldersOf({ HOME, ...moved }, 'linux'))).toEqual(
    ['/c', '/d', '/s', '/x'].map(at => `${at}/belay`),
  )
  const library = '/home/ann/Library'
  expect(foldersOf({ HOME }, 'darwin')).toMatchObject({
    ...{ data: `${library}/Application Support/Belay/data`, cache: `${library}/Caches/Belay` },
  })
  expect(foldersOf({ USERPROFILE: HOME, LOCALAPPDATA: '/local' }, 'win32').data).toBe('/local/Belay/data')
  for (const platform of ['linux', 'darwin', 'win32'] as const)
    expect(foldersOf({ HOME, BELAY_HOME: '/own' }, platform)).toEqual({
      ...{ config: '/own/config', data: '/own/data', state: '/own/state', cache: '/own/cache' },
    })
})
