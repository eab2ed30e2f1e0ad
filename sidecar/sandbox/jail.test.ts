/** The jail where it lets through, masks, cleans up and is changed while a command runs. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { SessionId } from '#contract/id'
import { newId } from '../base/id.ts'
import { createJailRig, type JailRig } from './jail.case.ts'
import { tellViolation } from './violations.ts'

const onLinux = describe.skipIf(process.platform !== 'linux')
let rig: JailRig
let server: Server
let port: number
beforeAll(async () => {
  rig = createJailRig()
  server = createServer((_, response) => response.end('a page'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  server.close()
  await rig.end()
})

/** Without it, curl takes a loopback address for one of the jail's own. */
const curl = (address: string, more = '') => `curl -sS --noproxy '' --max-time 8 ${more} ${address}`

onLinux('the network', () => {
  it('is reached where it may be, over HTTP, a tunnel and SOCKS, and asked about each time', async () => {
    const asked: string[] = []
    const reach = async (host: string, at: number) => {
      asked.push(`${host}:${at}`)
      return true
    }
    const url = `http://127.0.0.1:${port}/`
    const { out, violations } = await rig.run(
      [curl(url), curl(url, '--proxytunnel'), curl(url, '--proxy socks5h://localhost:1080')].join('; echo; '),
      { reach },
    )
    expect(out).toBe('a page\na page\na page')
    expect(asked).toEqual([`127.0.0.1:${port}`, `127.0.0.1:${port}`, `127.0.0.1:${port}`])
    expect(violations).toEqual([])
  })
  it('is refused where it may not be, and said so once', async () => {
    const { out, violations } = await rig.run(
      `${curl('http://example.com/', '-i')}; ${curl('https://example.com/')}; ${curl('http://example.com/', '--proxy socks5h://localhost:1080')}`,
    )
    expect(out).toMatch(/403/)
    expect(violations.map(({ category, target }) => `${category} ${target}`)).toEqual([
      'network example.com:80',
      'network example.com:443',
    ])
  })
  it('a name that leads to this machine is refused unless the address itself is allowed', async () => {
    const asked: string[] = []
    const byName = await rig.run(curl(`http://localhost.localdomain:${port}/`), {
      reach: async host => {
        asked.push(host)
        return host === 'localhost.localdomain'
      },
    })
    // Where the name is not known here, nothing is reached either.
    expect(byName.out).not.toMatch(/a page/)
    for (const spelled of ['2130706433', '0x7f.1', '127.1', '[::ffff:7f00:1]']) {
      const { out } = await rig.run(curl(`http://${spelled}:${port}/`), { reach: async host => host === spelled })
      expect(out).not.toMatch(/a page/)
    }
  })
  it('what changes while a command runs holds from its next connection on', async () => {
    let allowed = false
    const running = await rig.start(
      `${curl(`http://127.0.0.1:${port}/`)}; echo; echo first; while ! test -e go; do sleep 0.02; done; ${curl(`http://127.0.0.1:${port}/`)}; echo; echo second`,
      { reach: async () => allowed },
    )
    await running.heard('first')
    allowed = true
    rig.put('go')
    await running.heard('second')
    expect((await running.end()).out).toMatch(/first\na page\nsecond/)
  })
  it('commands at once are each asked about as themselves', async () => {
    const asked: string[] = []
    const command = curl(`http://127.0.0.1:${port}/`)
    const all = await Promise.all(
      ['a', 'b', 'c'].map(name =>
        rig.run(command, {
          sessionId: SessionId.parse(newId('ses')),
          reach: async () => {
            asked.push(name)
            return name !== 'b'
          },
        }),
      ),
    )
    expect(all.map(({ out }) => out === 'a page')).toEqual([true, false, true])
    expect(asked.sort()).toEqual(['a', 'b', 'c'])
    expect(all[1]?.violations.length).toBe(1)
  })
})

onLinux('secrets', () => {
  it('read as empty at any depth, and whole for a command that may see them', async () => {
    rig.put('.env', 'A=secret')
    rig.put('apps/web/.env.local', 'B=secret')
    rig.put('apps/web/.env.example', 'B=shown')
    rig.put('deep/er/server.pem', 'PEM secret')
    rig.put('deep/.aws/sso/cache.json', 'AWS secret')
    rig.put('deep/.ssh/mine', 'SSH secret')
    rig.put('deep/.docker/config.json', 'login secret')
    rig.put('deep/.docker/Dockerfile', 'FROM shown')
    const folders = 'deep/.aws/sso/cache.json deep/.ssh/mine deep/.docker/config.json deep/.docker/Dockerfile'
    const look = `cat .env apps/web/.env.local deep/er/server.pem apps/web/.env.example ${folders}`
    expect((await rig.run(look)).out).toBe('B=shownFROM shown')
    expect((await rig.run(look, { withSecrets: true })).out).toBe(
      'A=secretB=secretPEM secretB=shownAWS secretSSH secretlogin secretFROM shown',
    )
    const { out, violations } = await rig.run('echo x > .env; rm -f .env; mv .env e')
    expect(out).toMatch(/Read-only|busy/)
    expect(violations.map(({ target }) => target)).toContain(join(rig.work, '.env'))
    expect(readFileSync(join(rig.work, '.env'), 'utf8')).toBe('A=secret')
  })
})

onLinux('what a jail makes', () => {
  const before = () => new Set(readdirSync(rig.work))

  it('is known while it stands and gone after the last command that needs it', async () => {
    const repository = ['--git-dir', join(rig.base, 'beside.git'), '--work-tree', rig.work]
    const git = (...args: string[]) => execFileSync('git', [...repository, ...args], { encoding: 'utf8' })
    git('init', '-q')
    const status = () => git('status', '--porcelain', '--untracked-files=all', '--ignored')
    const clean = status()
    const there = before()
    const long = await rig.start('echo up; sleep 30')
    await long.heard('up')
    const made = readdirSync(rig.work).filter(name => !there.has(name))
    expect(status()).toBe(clean)
    expect(made).toContain('.vscode')
    expect(made.every(name => rig.jail.isPlaceholder(join(rig.work, name)))).toBe(true)
    await rig.run('true')
    expect(existsSync(join(rig.work, '.vscode'))).toBe(true)
    await long.end()
    expect(before()).toEqual(there)
  })
  it('is not removed once somebody put something there', async () => {
    const long = await rig.start('echo up; sleep 30')
    await long.heard('up')
    writeFileSync(join(rig.work, '.idea/mine.xml'), 'mine')
    await long.end()
    expect(readFileSync(join(rig.work, '.idea/mine.xml'), 'utf8')).toBe('mine')
  })
  it('leaves what Belay itself was allowed to write', async () => {
    const path = join(rig.work, 'sub/.vscode/settings.json')
    const long = await rig.start('echo up; sleep 30')
    await long.heard('up')
    rig.jail.expect(path)
    rig.put('sub/.vscode/settings.json', '{}')
    rig.put('sub/.idea/x.xml', 'theirs')
    const { violations } = await long.end()
    expect(existsSync(path)).toBe(true)
    expect(violations.map(({ target }) => target)).toEqual([join(rig.work, 'sub/.idea')])
    // For a later command it is no leave: what is gone by then and comes again is the command's.
    rmSync(join(rig.work, 'sub'), { recursive: true })
    const now = performance.now.bind(performance)
    const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
    const again = await rig.run('mkdir -p sub/.vscode && echo planted > sub/.vscode/settings.json')
    later.mockRestore()
    expect(again.violations).toMatchObject([{ target: join(rig.work, 'sub/.vscode'), aside: expect.any(String) }])
    expect(existsSync(path)).toBe(false)
  })
  it('what came to be meanwhile waits for a person: put back, the commands that run leave it', async () => {
    const place = join(rig.work, 'pkg/AGENTS.md')
    const long = await rig.start('echo up; sleep 30')
    await long.heard('up')
    const short = await rig.run('mkdir pkg && echo theirs > pkg/AGENTS.md')
    expect(short.violations.map(tellViolation)).toEqual([
      expect.stringMatching(/AGENTS\.md is a protected place .* set aside: the person decides whether it comes back/),
    ])
    expect(existsSync(place)).toBe(false)
    const waiting = rig.jail.asides.list().find(({ path }) => path === place)
    expect(waiting).toMatchObject({ root: rig.work, command: 'mkdir pkg && echo theirs > pkg/AGENTS.md' })
    expect(short.violations).toMatchObject([{ category: 'write', target: place, aside: waiting?.id }])
    rig.jail.asides.putBack(waiting?.id ?? '')
    rig.jail.expect(place)
    expect((await long.end()).violations).toEqual([])
    expect(readFileSync(place, 'utf8')).toBe('theirs\n')
  })
  it('says what holds', async () => {
    expect((await rig.jail.status()).state).toBe('holds')
    const policy = await rig.jail.policy(rig.request('').roots)
    expect(policy.writable).toContain(rig.work)
    expect(policy.hidden).toContain(join(rig.home, '.ssh'))
    expect(policy.environment).toContain('PATH')
    expect(policy.environment).not.toContain('SOME_API_KEY')
  })
  it('an added folder may be written', async () => {
    const added = join(rig.base, 'added')
    mkdirSync(added)
    const own = createJailRig([added, '/', join(rig.base, 'nothing-here')])
    try {
      await own.run(`echo x > ${added}/x`)
      expect(existsSync(join(added, 'x'))).toBe(true)
    } finally {
      await own.end()
    }
  })
})
