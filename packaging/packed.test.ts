/** What is in the package, looked at from outside: the archive, what lies beside it, its switches, its words for the desktop, its licences, its size. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { extractFile, getRawHeader, listPackage, statFile } from '@electron/asar'
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LICENCES_FILE } from '../sidecar/supervise/build-stamp.ts'
import { installedSuite } from './installed.case.ts'
import { placesIn } from './licences.ts'
import { type Packed, pack } from './packed.case.ts'
import { packedPlaces, spawnedPlaces } from './packed-files.ts'
import { stamp } from './stamp.ts'

const MB = 1_000_000
/** As letters in the executable. */
const [ENABLED, DISABLED] = [0x31, 0x30]
/** A little above what they are: whatever makes them grow is looked at. */
const budget = { archive: 25 * MB, beside: 84 * MB, files: 8_500 }

describe.skipIf(process.platform !== 'linux')('the package for Linux', () => {
  let packed: Packed
  let files: string[]
  beforeAll(async () => {
    packed = await pack()
    files = listPackage(packed.archive, { isPack: false })
      .map(file => file.slice(1))
      .filter(file => 'size' in statFile(packed.archive, file))
  }, 300_000)
  afterAll(() => packed?.remove(), 120_000)

  const beside = () => `${packed.archive}.unpacked`
  const isBeside = (file: string) => (statFile(packed.archive, file) as { unpacked?: boolean }).unpacked === true
  const manifest = () =>
    JSON.parse(extractFile(packed.archive, 'package.json').toString('utf8')) as Record<string, unknown>

  test('the same sources make the same archive, and nothing is fetched for it', () => {
    const { again } = packed
    const one = contentOf(packed.archive, again.leftOut)
    const other = contentOf(again.archive, again.leftOut)
    expect(one.entries.filter((entry, at) => entry !== other.entries[at]).slice(0, 5)).toEqual([])
    expect(other.entries.length).toBe(one.entries.length)
    expect(other.bodyHash).toBe(one.bodyHash)
    expect(packed.asked).toEqual([])
  })

  test('it holds what was built and what that needs, and nothing else', () => {
    expect([...new Set(files.map(file => file.split('/')[0]))].sort()).toEqual(['node_modules', 'out', 'package.json'])
    expect(placesIn(packed.archive)).toEqual([...packedPlaces])
    const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
      packages: Record<string, { dev?: boolean }>
    }
    expect(packedPlaces.filter(place => lock.packages[place]?.dev)).toEqual([])
    for (const needed of ['out/main/index.js', 'out/main/belay.js', 'out/main/grammar/tree-sitter-bash.wasm'])
      expect(files).toContain(needed)
    for (const needed of ['out/preload/index.cjs', 'out/renderer/index.html']) expect(files).toContain(needed)
    const types = files.filter(file => /[.][mc]?ts$/.test(file))
    expect(types.filter(file => !/typescript-[^/]+[/]lib[/]lib[.]/.test(file))).toEqual([])
    expect(types).toContain(`node_modules/@typescript/typescript-linux-${process.arch}/lib/lib.es5.d.ts`)
    const unwanted =
      /[.](map|(?<!es[.]regexp[.])test[.]js|spec[.]js|md|flow|gyp|c|cc|h|obj)$|[/](tests?|[.]github|__tests__)[/](?!.*[.]pyi$)|[.]vite/
    expect(files.filter(file => unwanted.test(file))).toEqual([])
    const { devDependencies, scripts, belay, main, desktopName, productName } = manifest()
    expect({ devDependencies, scripts, belay, main, desktopName, productName }).toEqual({
      ...{ devDependencies: undefined, scripts: undefined, belay: { ...stamp() } },
      ...{ main: 'out/main/index.js', desktopName: 'belay.desktop', productName: 'Belay' },
    })
  })

  test('what other programs open or start lies beside it, for this machine, and can be run', () => {
    const spawned = files.filter(file => spawnedPlaces.some(place => file.startsWith(`${place}/`)))
    expect(spawned.length).toBeGreaterThan(5_000)
    expect(spawned.filter(file => !isBeside(file))).toEqual([])
    const native = files.flatMap(file => {
      const head = isBeside(file)
        ? readFileSync(join(beside(), file)).subarray(0, 20)
        : extractFile(packed.archive, file).subarray(0, 20)
      const kind = nativeKind(head)
      return kind ? [[file, kind, isBeside(file)] as const] : []
    })
    const machine = { x64: 'ELF 62', arm64: 'ELF 183' }[process.arch as string]
    const names = native.map(([file]) => file.replace('node_modules/', '').replaceAll(process.arch, 'ARCH')).sort()
    expect(names).toEqual([
      '@anthropic-ai/sandbox-runtime/vendor/seccomp/ARCH/apply-seccomp',
      '@parcel/watcher-linux-ARCH-glibc/watcher.node',
      '@typescript/typescript-linux-ARCH/lib/tsc',
      '@vscode/ripgrep-linux-ARCH/bin/rg',
      'node-pty/build/Release/pty.node',
    ])
    expect(native.filter(([, kind, lies]) => kind !== machine || !lies)).toEqual([])
    for (const file of native.map(([each]) => each).filter(file => !file.endsWith('.node')))
      expect([file, statSync(join(beside(), file)).mode & 0o111]).toEqual([file, 0o111])
    const rg = join(beside(), `node_modules/@vscode/ripgrep-linux-${process.arch}/bin/rg`)
    expect(execFileSync(rg, ['--version'], { encoding: 'utf8' })).toMatch(/^ripgrep /)
  })

  test('it stays within its size', () => {
    const sizes = walk(beside()).map(file => lstatSync(file).size)
    const is = {
      archive: statSync(packed.archive).size,
      beside: sizes.reduce((sum, size) => sum + size, 0),
      files: sizes.length,
    }
    console.log(
      `archive ${(is.archive / MB).toFixed(1)} MB, beside it ${(is.beside / MB).toFixed(1)} MB in ${is.files} files`,
    )
    for (const name of ['archive', 'beside', 'files'] as const) expect(is[name], name).toBeLessThan(budget[name])
  })

  test('the executable is Node where it is asked to be, takes no orders from the environment, and loads this archive alone', async () => {
    const wire = await getCurrentFuseWire(join(packed.app, 'belay'))
    const on = [
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableCookieEncryption,
      FuseV1Options.EnableEmbeddedAsarIntegrityValidation,
      FuseV1Options.OnlyLoadAppFromAsar,
    ]
    const off = [
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableNodeCliInspectArguments,
      FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
      FuseV1Options.GrantFileProtocolExtraPrivileges,
    ]
    for (const fuse of on) expect([FuseV1Options[fuse], wire[fuse]]).toEqual([FuseV1Options[fuse], ENABLED])
    for (const fuse of off) expect([FuseV1Options[fuse], wire[fuse]]).toEqual([FuseV1Options[fuse], DISABLED])
    expect(readdirSync(join(packed.app, 'locales')).sort()).toEqual(['en-GB.pak', 'en-US.pak', 'zh-CN.pak'])
  })

  test('the desktop knows it: entry, kinds of files, links, a new window, an icon of each size', () => {
    const { deb, appImage } = packed
    expect(appImage.desktopFileName).toBe('belay.desktop')
    for (const [entry, executable] of [
      [appImage.desktop, 'AppRun'],
      [deb.desktop, '/opt/Belay/belay'],
    ] as const) {
      const [main = '', action = ''] = entry.split('\n\n')
      const { MimeType = '', ...said } = entryOf(main)
      expect(said).toMatchObject({
        ...{ Name: 'Belay', Type: 'Application', Terminal: 'false', Icon: 'belay', StartupWMClass: 'belay' },
        ...{ Exec: `${executable} %U`, Actions: 'NewWindow;', Categories: 'Development;IDE;TextEditor;' },
      })
      expect(said.Comment).toBe(manifest().description)
      expect(said.Keywords).toMatch(/^(\w+;)+$/)
      const types = MimeType.split(';')
      expect(types.pop()).toBe('')
      expect(types).toEqual([...new Set(types)])
      expect(types).toEqual(
        expect.arrayContaining(['inode/directory', 'x-scheme-handler/belay', 'text/plain', 'text/x-python']),
      )
      expect(action.split('\n')[0]).toBe('[Desktop Action NewWindow]')
      expect(entryOf(action)).toMatchObject({ Name: 'New Window', Exec: `${executable} --new-window` })
    }
    const icons = deb.files.flatMap(file => /hicolor[/](\d+)x\1[/]apps[/]belay[.]png$/.exec(file)?.[1] ?? [])
    expect(icons.map(Number)).toEqual([16, 24, 32, 48, 64, 128, 256, 512, 1024])
    expect(deb.files).toContain('/usr/share/icons/hicolor/symbolic/apps/belay-symbolic.svg')
    expect(deb.recommends).toEqual(expect.arrayContaining(['bubblewrap', 'socat', 'git']))
    expect(deb.depends).not.toContain('bubblewrap')
  })

  test('the deb’s own scripts are sound, and put the command on the path', () => {
    for (const script of [packed.deb.afterInstall, packed.deb.afterRemove]) {
      execFileSync('/bin/sh', ['-n'], { input: script })
      expect(script).not.toMatch(/[$][{](executable|sanitized)/)
      expect(script).toContain('/resources/bin/belay')
    }
  })

  test('everybody’s licence is in it', () => {
    const resources = join(packed.app, 'resources')
    const text = readFileSync(join(resources, LICENCES_FILE), 'utf8')
    expect(readFileSync(join(resources, 'LICENSE.txt'), 'utf8')).toMatch(/^MIT License/)
    expect(existsSync(join(packed.app, 'LICENSE.electron.txt'))).toBe(true)
    expect(existsSync(join(packed.app, 'LICENSES.chromium.html'))).toBe(true)
    // In the archive, in our own bundles, in a copied file, as a font.
    for (const name of [
      'pyright',
      'node-pty',
      'monaco-editor',
      'zod',
      '@vscode/tree-sitter-wasm',
      '@fontsource-variable/inter',
    ])
      expect(text).toMatch(new RegExp(`^${name} [0-9.]+ [(]`, 'm'))
  })

  describe('installed, it', () => installedSuite(() => packed))
})

/** What the archive says of each file, its hash included, but for those in a folder; and the bytes of all that lie in it. */
function contentOf(archive: string, without: string | null): { entries: string[]; bodyHash: string } {
  const { header, headerSize } = getRawHeader(archive)
  const entries: string[] = []
  const read = (folder: Folder, path: string): void => {
    for (const [name, { files: inside, ...entry }] of Object.entries(folder.files ?? {})) {
      const at = path === '' ? name : `${path}/${name}`
      if (at === `node_modules/${without}`) continue
      entries.push(`${at} ${JSON.stringify(entry)}`)
      read({ files: inside }, at)
    }
  }
  read(header as Folder, '')
  const body = readFileSync(archive).subarray(8 + headerSize)
  return { entries, bodyHash: createHash('sha256').update(body).digest('hex') }
}

interface Folder {
  readonly files?: Readonly<Record<string, Folder>> | undefined
}

/** ELF with the number of its machine, the other platforms' by name; null: no program. */
function nativeKind(head: Buffer): string | null {
  if (head.toString('latin1', 0, 4) === '\x7fELF') return `ELF ${head.readUInt16LE(18)}`
  if (head.toString('latin1', 0, 2) === 'MZ') return 'PE'
  return head.length >= 4 && [0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe].includes(head.readUInt32BE(0))
    ? 'Mach-O'
    : null
}

function walk(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry =>
    entry.isDirectory() ? walk(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}

function entryOf(text: string): Record<string, string> {
  const lines = text.split('\n').map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
  return Object.fromEntries(lines)
}
