/** Real folders and real shells: the command is put there, runs, is replaced by a newer one, and goes again; another's stays. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Installation, shellCommand } from './shell-command.ts'

let base: string
let here: Installation
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'belay-command-'))
  here = installation('Be lay')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const place = () => join(base, 'home/.local/bin/belay')

/** With a launcher that says which it is. */
function installation(name: string): Installation {
  const resources = join(base, name, 'resources')
  mkdirSync(join(resources, 'bin'), { recursive: true })
  writeFileSync(join(resources, 'bin/belay'), `#!/bin/sh\necho "${name}: $*"\n`, { mode: 0o755 })
  const env = { PATH: `/usr/bin:${join(base, 'home/.local/bin')}/` }
  return { platform: 'linux', home: join(base, 'home'), env, resources, packaged: join(base, 'usr/belay') }
}

test('it is put where shells look, runs, and goes again', () => {
  expect(shellCommand(here, 'look')).toEqual({ state: 'absent', place: place(), onPath: true })
  expect(shellCommand(here, 'remove')).toMatchObject({ state: 'absent' })
  const installed = { state: 'installed', place: place(), onPath: true }
  expect(shellCommand(here, 'install')).toEqual(installed)
  expect(shellCommand(here, 'install')).toEqual(installed)
  expect(execFileSync(place(), ['run', 'a b'], { encoding: 'utf8' })).toBe('Be lay: run a b\n')
  const newer = installation('Newer')
  expect(shellCommand(newer, 'look')).toMatchObject({ state: 'absent', place: place() })
  expect(shellCommand(newer, 'install')).toEqual(installed)
  expect(execFileSync(place(), [], { encoding: 'utf8' })).toBe('Newer: \n')
  expect(shellCommand(here, 'look')).toMatchObject({ state: 'absent' })
  expect(shellCommand(newer, 'remove')).toMatchObject({ state: 'absent' })
  expect(existsSync(place())).toBe(false)
  expect(shellCommand({ ...here, env: { PATH: '/usr/bin' } }, 'install')).toMatchObject({ onPath: false })
})

test('of an AppImage it is a script that starts the file itself, wherever it is mounted', () => {
  const image = join(base, "Ann's Belay.AppImage")
  writeFileSync(image, '#!/bin/sh\necho "$ELECTRON_RUN_AS_NODE"\nfor each; do echo "$each"; done\n')
  chmodSync(image, 0o755)
  const mounted = { ...here, env: { ...here.env, APPIMAGE: image } }
  expect(shellCommand(mounted, 'install')).toMatchObject({ state: 'installed', place: place() })
  const said = execFileSync(place(), ['run', 'a b'], { encoding: 'utf8' }).trim().split('\n')
  expect(said.slice(0, 2)).toEqual(['1', '-e'])
  expect(said.slice(3)).toEqual(['--', '--no-sandbox', 'run', 'a b'])
  const elsewhere = { ...mounted, resources: join(base, 'mounted-elsewhere/resources') }
  expect(shellCommand(elsewhere, 'look')).toMatchObject({ state: 'installed' })
  expect(shellCommand(here, 'look')).toMatchObject({ state: 'absent' })
  expect(shellCommand(mounted, 'remove')).toMatchObject({ state: 'absent' })
})

test('what is not Belay’s stays as it is', () => {
  mkdirSync(join(base, 'home/.local/bin'), { recursive: true })
  writeFileSync(place(), '#!/bin/sh\necho another\n')
  for (const wish of ['look', 'install', 'remove'] as const)
    expect(shellCommand(here, wish)).toEqual({ state: 'taken', place: place() })
  expect(readFileSync(place(), 'utf8')).toContain('another')
  rmSync(place())
  symlinkSync('/nowhere/else', place())
  expect(shellCommand(here, 'install')).toEqual({ state: 'taken', place: place() })
})

test('where it cannot or need not be put, that is said', () => {
  expect(shellCommand({ ...here, resources: null }, 'install')).toEqual({ state: 'sources' })
  expect(shellCommand({ ...here, platform: 'win32' }, 'install')).toEqual({
    ...{ state: 'by-hand', place: join(here.resources ?? '', 'bin') },
  })
  mkdirSync(join(base, 'usr'))
  symlinkSync(join(here.resources ?? '', 'bin/belay'), join(base, 'usr/belay'))
  expect(shellCommand(here, 'install')).toEqual({ state: 'packaged', place: join(base, 'usr/belay') })
  expect(existsSync(place())).toBe(false)
  const blocked = { ...here, packaged: '/nowhere', home: join(base, 'usr/belay') }
  expect(() => shellCommand(blocked, 'install')).toThrow(/could not be written/)
})
