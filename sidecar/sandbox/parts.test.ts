/** The jail's parts by themselves: what is said of a machine without one, limits, configurations, names of secrets. */
import { linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../base/address.ts'
import { jailEnvironment } from './environment.ts'
import { isHarmlessGitConfig } from './git-config.ts'
import { createJailRig } from './jail.case.ts'
import { unquoted } from './linux.ts'
import { setIdFilter } from './set-id-filter.ts'
import { installCommand } from './status.ts'
import { covered, createSurveyor } from './survey.ts'
import { tellViolation } from './violations.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-jail-parts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const put = (path: string, content = '') => {
  const absolute = join(folder, path)
  mkdirSync(dirname(absolute), { recursive: true })
  writeFileSync(absolute, content)
  return absolute
}

describe('a machine without a jail', () => {
  it.skipIf(process.platform !== 'linux')('refuses with what would mend it, and runs nothing', async () => {
    const rig = createJailRig()
    const path = process.env.PATH
    process.env.PATH = join(folder, 'nothing')
    try {
      const refusal = await rig.jail.prepare(rig.request('true')).catch(fault => String(fault))
      expect(refusal).toMatch(/bubblewrap \(bwrap\) not installed.*Nothing was run.*"unjailed": true/s)
      expect(rig.jail.holds()).toBe(false)
    } finally {
      process.env.PATH = path
    }
    const { out } = await rig.run('echo again')
    expect(out).toBe('again\n')
    await rig.end()
  })
  it.each([
    ['ID=debian\n', 'apt-get'],
    ['ID=pop\nID_LIKE="ubuntu debian"\n', 'apt-get'],
    ['ID=fedora\n', 'dnf'],
    ['ID="opensuse-leap"\nID_LIKE="suse opensuse"\n', 'zypper'],
    ['ID=arch', 'pacman'],
  ])('%s is told how to install', (text, tool) => expect(installCommand(text)).toContain(tool))
  it('an unknown one is told nothing wrong', () => expect(installCommand('ID=other')).toBeNull())
})

describe('a survey', () => {
  it('finds protected places, secrets and other names of files, and keeps them true', async () => {
    const surveyor = createSurveyor(folder, path => path.endsWith('.zed'))
    put('a/b/.vscode/x.json')
    put('a/.env', 's')
    put('.zed/x')
    put('.git/config')
    put('.git/hooks/x')
    put('.git/modules/sub/hooks/y')
    put('.github/workflows/ci.yml')
    put('.github/other.md')
    put('node_modules/p/.npmrc')
    const linked = put('node_modules/p/index.js')
    linkSync(linked, `${folder}-outside`)
    const inside = put('in/one')
    linkSync(inside, join(folder, 'in/two'))
    const found = await surveyor.look()
    const short = (paths: readonly string[]) => paths.map(path => path.slice(folder.length + 1)).sort()
    expect(short(found.protectedPaths)).toEqual(
      ['.git/config', '.git/hooks', '.git/modules/sub/hooks', '.github/workflows', 'a/b/.vscode'].sort(),
    )
    expect(short(found.secrets)).toEqual(['a/.env'])
    expect(short(found.linkedOutside)).toEqual(['node_modules/p/index.js'])
    expect(found.unseen).toEqual([])
    put('a/b/c/.envrc')
    expect(short((await surveyor.look()).protectedPaths)).toContain('a/b/c/.envrc')
    rmSync(join(folder, 'a'), { recursive: true })
    expect(short((await surveyor.look()).secrets)).toEqual([])
    rmSync(`${folder}-outside`)
  })
  it('of too many places gives folders that hold them all', () => {
    const many = Array.from({ length: 1000 }, (_, at) => `/r/node_modules/.pnpm/${at % 10}/f${at}`)
    const few = covered([...many, '/r/x/.vscode'], '/r', 20)
    expect(few.length).toBeLessThanOrEqual(20)
    for (const path of [...many, '/r/x/.vscode'])
      expect(few.some(each => path === each || path.startsWith(`${each}/`))).toBe(true)
  })
})

describe('a git configuration', () => {
  const plain = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n'
  it('as git writes it starts nothing', () => {
    expect(isHarmlessGitConfig(plain)).toBe(true)
    expect(
      isHarmlessGitConfig(
        `${plain}[remote "origin"]\n\turl = https://example.com/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n`,
      ),
    ).toBe(true)
    expect(isHarmlessGitConfig('[remote "o"]\nurl = git@example.com:a/b.git\n')).toBe(true)
  })
  it.each([
    '[core]\nfsmonitor = x',
    '[core]\nhooksPath = x',
    '[core] fsmonitor = x',
    '[core]\nbare = \\\n\nfsmonitor = x',
    '[include]\npath = x',
    '[filter "x"]\nclean = y',
    '[remote "o"]\nurl = ext::sh -c x',
    '[remote "o"]\nurl = -oProxyCommand=x',
    '[remote "o"]\nuploadpack = x',
    '[alias]\nst = !x',
    '[submodule "x"]\nupdate = !x',
    '[core "x"]\nbare = false',
    '[credential]\nhelper = x',
  ])('%j may start something', text => expect(isHarmlessGitConfig(plain + text)).toBe(false))
})

describe('words and addresses', () => {
  it('a quoted line gives the words it was made of', async () => {
    const { quote } = await import('@anthropic-ai/sandbox-runtime/dist/utils/shell-quote.js')
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), words => {
        expect(unquoted(quote(words))).toEqual(words)
      }),
    )
  })
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '0.0.0.0',
    '100.64.0.1',
    'x',
    // What a cloud keeps a machine's keys behind, in an open range; an address that nobody was given.
    '168.63.129.16',
    '4000::1',
  ])('%s is no address of the open internet', address => expect(isPublicAddress(address)).toBe(false))
  it('others are', () =>
    expect([isPublicAddress('93.184.216.34'), isPublicAddress('2606:2800:220:1::1')]).toEqual([true, true]))
  it('no key passes into the environment, whatever its name', () => {
    const env = jailEnvironment({ PATH: '/bin', LC_ALL: 'C', AWS_SECRET: 'x', GH_TOKEN: 'x', SSH_AUTH_SOCK: 'x' }, '/t')
    expect(Object.values(env)).not.toContain('x')
    expect(env).toMatchObject({ PATH: '/bin', LC_ALL: 'C', TMPDIR: '/t' })
  })
  it('the filter is whole words of a known machine', () => {
    expect((setIdFilter('x64', true)?.length ?? 1) % 8).toBe(0)
    expect(setIdFilter('arm64', false)).not.toBeNull()
    expect(setIdFilter('mips', false)).toBeNull()
  })
  it('each kind of violation says what would work', () => {
    const told = (category: 'read' | 'write' | 'network' | 'other', target: string) =>
      tellViolation({ at: 0, category, target, callId: 'call_1' as never })
    expect(told('write', '/w/.vscode')).toMatch(/write or edit tool/)
    expect(told('write', '/w/.env')).toMatch(/withSecrets/)
    expect(told('write', '/etc/x')).toMatch(/TMPDIR/)
    expect(told('network', 'a.b:443')).toMatch(/allow the host/)
  })
})
