import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bundled } from '../base/bundled.case.ts'
import { listProcesses } from '../base/process-info.ts'

const child = `
process.once('message', () => process.send({ kind: 'ready' }))
process.once('disconnect', () => process.exit())
`
let folder = ''
let web = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-web-'))
  await mkdir(join(folder, 'out', 'renderer'), { recursive: true })
  await writeFile(join(folder, 'out', 'renderer', 'index.html'), '<title>Belay</title>')
  web = await bundled(
    'web',
    `import { main } from './sidecar/entry/web.ts'
     const code = await main(process.argv.slice(2)).catch(fault => (process.stderr.write(fault.message), 1))
     process.exit(code)`,
    join(folder, 'out', 'main'),
  )
  for (const name of ['sidecar', 'pty-host']) await writeFile(join(folder, 'out', 'main', `${name}.js`), child)
})
const started: ChildProcess[] = []
afterEach(() => {
  for (const each of started.splice(0)) each.kill('SIGKILL')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Start {
  readonly process: ChildProcess
  readonly line: Promise<string>
  readonly ended: Promise<{ code: number | null; said: string }>
}
const LINK = /http:\/\/127\.0\.0\.1:(\d+)\/\?t=[\w-]+/

function start(home: string, ...args: string[]): Start {
  const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: home }
  const belay = spawn(process.execPath, [web, '--no-open', ...args], { env, cwd: folder, timeout: 30_000 })
  started.push(belay)
  let said = ''
  const line = new Promise<string>(resolve => {
    for (const stream of [belay.stdout, belay.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        said += text
        if (LINK.test(said)) resolve(said)
      })
    }
  })
  const ended = new Promise<{ code: number | null; said: string }>(resolve =>
    belay.once('close', code => resolve({ code, said })),
  )
  return { process: belay, line, ended }
}
const linkOf = (line: string) => LINK.exec(line)?.[0] ?? ''
const portOf = (line: string) => Number(LINK.exec(line)?.[1])
const childrenOf = async (pid: number | undefined) => (await listProcesses()).filter(each => each.parentPid === pid)
let homes = 0
const newHome = () => join(folder, `home-${++homes}`)

test('one line with a link that opens the page once; Ctrl-C ends all of it', async () => {
  const home = newHome()
  const first = start(home)
  const line = await first.line
  expect(line.trimEnd().split('\n').length).toBe(1)
  const swapped = await fetch(linkOf(line), { redirect: 'manual' })
  const cookie = swapped.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(swapped.status).toBe(303)
  const page = await fetch(`http://127.0.0.1:${portOf(line)}/`, { headers: { cookie } })
  expect(await page.text()).toContain('Belay')
  expect((await fetch(linkOf(line), { redirect: 'manual' })).status).toBe(401)
  await expect.poll(async () => (await childrenOf(first.process.pid)).length).toBe(2)
  const children = await childrenOf(first.process.pid)
  first.process.kill('SIGINT')
  expect((await first.ended).code).toBe(130)
  const left = (await listProcesses()).filter(each => children.some(one => one.pid === each.pid))
  expect(left).toEqual([])
  expect(await readdir(join(home, 'state', 'instances'))).toEqual([])
})

test('a second start on the same profile gets a fresh link from the first, also while that one starts', async () => {
  const home = newHome()
  const [a, b] = [start(home), start(home, '0', folder)]
  const lines = await Promise.all([a.line, b.line])
  expect(new Set(lines.map(portOf)).size).toBe(1)
  const [second, first] = lines[0]?.startsWith('Belay runs already') ? [a, b] : [b, a]
  expect((await second.ended).code).toBe(0)
  expect(linkOf(lines[0] ?? '')).not.toBe(linkOf(lines[1] ?? ''))
  expect(first.process.exitCode).toBe(null)
  first.process.kill('SIGTERM')
  expect((await first.ended).code).toBe(143)
  const third = start(home)
  expect(await third.line).not.toContain('already')
})

test('a killed one is succeeded at once', async () => {
  const home = newHome()
  const first = start(home)
  await first.line
  first.process.kill('SIGKILL')
  await first.ended
  const second = start(home)
  expect(await second.line).not.toContain('already')
  await expect
    .poll(async () => (await readdir(join(home, 'state', 'instances'))).filter(name => name.endsWith('.json')).length)
    .toBe(1)
})

test('what cannot be opened is said in one line, exit 1, and nothing was started', async () => {
  await writeFile(join(folder, 'file.txt'), '')
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const cases: [string[], RegExp][] = [
    [['no/such/folder'], /There is no folder .*no\/such\/folder/],
    [['file.txt'], /is a file\. Belay opens folders/],
    [['file.txt/x'], /leads through a file/],
    [['--frob'], /does not know --frob/],
    [['1', '2', '3'], /is a second one/],
    [['70000'], /is no port/],
    [[String(port)], /is taken by another program/],
  ]
  const outcomes = await Promise.all(cases.map(([args]) => start(newHome(), ...args).ended))
  taken.close()
  outcomes.forEach(({ code, said }, index) => {
    expect([code, said]).toEqual([1, expect.stringMatching(cases[index]?.[1] ?? /never/)])
  })
})

test('a profile that cannot be written is said', async () => {
  const home = join(folder, 'blocked')
  await writeFile(home, 'a file')
  const { code, said } = await start(home).ended
  expect([code, said]).toEqual([1, expect.stringMatching(/cannot write to .*BELAY_HOME/)])
})
