import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'belay-run-'))
const started: ChildProcess[] = []
afterAll(() => {
  for (const each of started) each.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A script that runs a program; the program writes down who it is. */
function write(name: string, program: string, options = 'timeoutMs: 20000') {
  const pidFile = join(folder, `${name}.pid`)
  const [inner, outer] = [join(folder, `${name}.inner.mjs`), join(folder, `${name}.outer.mjs`)]
  writeFileSync(
    inner,
    `import { writeFileSync } from 'node:fs'; ${program}; writeFileSync(${JSON.stringify(pidFile)}, String(process.pid))`,
  )
  writeFileSync(
    outer,
    `import { run } from ${JSON.stringify(join(import.meta.dirname, 'run.mjs'))}
     console.log(JSON.stringify(await run(process.execPath, [${JSON.stringify(inner)}], { ${options} })))`,
  )
  const pid = async () => {
    await expect.poll(() => existsSync(pidFile), { timeout: 15_000 }).toBe(true)
    return Number(readFileSync(pidFile, 'utf8'))
  }
  return { outer, pid }
}

function start(name: string, program: string, options?: string) {
  const { outer, pid } = write(name, program, options)
  const child = spawn(process.execPath, [outer], { stdio: ['ignore', 'pipe', 'inherit'] })
  started.push(child)
  let said = ''
  child.stdout.on('data', text => {
    said += text
  })
  const ended = new Promise<number | null>(resolve => child.once('close', code => resolve(code)))
  return { child, ended, pid, said: () => said }
}
const lives = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('status and words come back', async () => {
  const { ended, said } = start(
    'plain',
    `console.log('some'); console.error('words'); process.exitCode = 3`,
    'quiet: true, timeoutMs: 20000',
  )
  expect([await ended, JSON.parse(said())]).toEqual([0, { status: 3, output: expect.stringContaining('words') }])
})

test.skipIf(process.platform === 'win32').each([
  ['ends when told', '', 'SIGTERM', 143],
  ['does not hear', `process.on('SIGTERM', () => {})`, 'SIGTERM', 143],
  ['ends with Ctrl-C', '', 'SIGINT', 130],
] as const)('a signal to the script ends the program: one that %s', async (name, program, signal, code) => {
  const { child, ended, pid } = start(name.replaceAll(' ', '-'), `setInterval(() => {}, 1000); ${program}`)
  const program_ = await pid()
  child.kill(signal)
  expect([await ended, lives(program_)]).toEqual([code, false])
})

/** npm passes no signal on: the script sees that it is gone. */
test.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a %s to the npm that called the script ends the program',
  async signal => {
    const name = `npm-${signal}`
    const npm = join(folder, name)
    mkdirSync(npm)
    const { outer, pid } = write(name, 'setInterval(() => {}, 1000)')
    writeFileSync(join(npm, 'package.json'), JSON.stringify({ scripts: { start: `node ${outer}` } }))
    const child = spawn('npm', ['start', '--silent'], { cwd: npm, stdio: ['ignore', 'pipe', 'inherit'] })
    started.push(child)
    const closed = new Promise(resolve => child.once('close', resolve))
    const program = await pid()
    child.kill(signal)
    // The script holds npm's output: it is over too.
    await closed
    expect(lives(program)).toBe(false)
  },
)

test('one that takes too long is ended', async () => {
  const { ended, said } = start('slow', 'setInterval(() => {}, 1000)', 'timeoutMs: 1000')
  expect([await ended, JSON.parse(said())]).toEqual([0, { status: null, output: '' }])
})
