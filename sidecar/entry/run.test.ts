/** `belay run` as a shell meets it: a real process, its streams, its exit codes, its signals, and nothing left behind. */
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'
import { createSessionStore } from '../session/store.ts'

let belay: string
let home: string
let folder: string
beforeAll(async () => {
  belay = await bundle(fileURLToPath(new URL('belay.ts', import.meta.url)))
  home = await mkdtemp(join(tmpdir(), 'belay-run-'))
  folder = join(home, 'project')
  await mkdir(folder)
  await writeFile(join(folder, 'a.txt'), 'one\n')
}, 60_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
  await rm(dirname(belay), { recursive: true, force: true })
})

const script = (...steps: object[][]) => `script:${JSON.stringify(steps)}`
const scripted = ['--model', 'scripted/default']

/** `launcher`: what it is started through. */
function start(args: string[], cwd = folder, launcher: string[] = []): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env.PATH, BELAY_HOME: join(home, 'belay'), HOME: home }
  const [program = process.execPath, ...rest] = [...launcher, process.execPath, belay, 'run', ...args, '--cwd', cwd]
  return spawn(program, rest, { env, stdio: 'pipe', timeout: 30_000 })
}

async function finish(child: ChildProcessWithoutNullStreams, stdin?: string | Uint8Array) {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', piece => {
    stdout += piece
  })
  child.stderr.on('data', piece => {
    stderr += piece
  })
  if (stdin !== undefined) child.stdin.end(stdin)
  const [exit] = await once(child, 'close')
  return { stdout, stderr, exit }
}
const belayRun = (args: string[], stdin?: string | Uint8Array) => finish(start(args), stdin)

describe('belay run', { timeout: 60_000 }, () => {
  it('answers on stdout, with a prompt from the line or from stdin', async () => {
    const steps = script([{ call: 'read', arguments: { path: 'a.txt' } }], [{ text: 'It says one.' }])
    expect(await belayRun([steps, ...scripted])).toEqual({ stdout: 'It says one.\n', stderr: '', exit: 0 })
    expect(await belayRun(scripted, 'from stdin\n')).toMatchObject({ stdout: 'You said: from stdin\n', exit: 0 })
    expect(await belayRun(['look', ...scripted], 'piped')).toMatchObject({
      stdout: expect.stringContaining('look\n\n[Attached: stdin]\n```\npiped'),
      exit: 0,
    })
  })

  it('has a code for every end, and words on stderr', async () => {
    const look = [{ call: 'read', arguments: { path: 'a.txt' } }]
    expect(await belayRun([script(look, look, look), ...scripted, '--max-turns', '1'])).toMatchObject({ exit: 2 })
    expect(await belayRun([script([{ error: 'auth' }]), ...scripted])).toMatchObject({ stdout: '', exit: 1 })
    expect(await belayRun(scripted, ' ')).toMatchObject({ exit: 3, stderr: expect.stringContaining('no prompt') })
    expect(await belayRun(['x', '--modle', 'y'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('--model?'),
    })
  })

  it('goes on with a session: the newest, a named one, one under a name of the caller; and works in more folders', async () => {
    const json = async (args: string[]) => {
      const { stdout, exit } = await belayRun([...args, ...scripted, '--output-format', 'json'])
      return { ...(JSON.parse(stdout) as { session_id: string; result: string; error?: string }), exit }
    }
    const own = '585e26dd-88ce-468c-a5ed-c78d354ca4ef'
    const first = await json(['one', '--session-id', own])
    expect(first).toMatchObject({ session_id: `ses_${own}`, exit: 0 })
    expect(await json(['two', '--session-id', own])).toMatchObject({ session_id: `ses_${own}`, exit: 0 })
    expect(await json(['three', '--resume', own])).toMatchObject({ session_id: `ses_${own}`, exit: 0 })
    expect(await json(['four', '--continue'])).toMatchObject({ session_id: `ses_${own}`, exit: 0 })
    expect(await json(['five', '--resume', 'ses_gone'])).toMatchObject({
      exit: 1,
      error: expect.stringContaining(`There is no session ses_gone in this folder. The newest one is ses_${own}`),
    })
    const beside = join(home, 'beside')
    await mkdir(beside, { recursive: true })
    await writeFile(join(beside, 'b.txt'), 'two\n')
    const look = script([{ call: 'read', arguments: { path: join(beside, 'b.txt') } }], [{ text: 'Seen.' }])
    const seen = await belayRun([look, ...scripted, '--add-dir', beside, '--output-format', 'stream-json', '--verbose'])
    expect(seen.stdout).toContain('"is_error":false,"result":"Seen."')
    expect(seen.stdout).toMatch(/"type":"tool_result"[^\n]*two/)
    await writeFile(join(folder, 'AGENTS.md'), 'Say please.')
    const asked = [script([{ text: 'ok' }]), ...scripted, '--output-format', 'json']
    expect((await belayRun([...asked, '--bare'])).exit).toBe(0)
    await rm(join(folder, 'AGENTS.md'))
  })

  it('says what is wrong with a folder it cannot work in, and asks no model', async () => {
    const closed = join(home, 'closed')
    await mkdir(closed, { mode: 0 })
    // root may read everything; without its powers in this namespace it is a user like others.
    const asUser = process.getuid?.() === 0 ? ['unshare', '--user'] : []
    const cases: [cwd: string, words: RegExp, launcher?: string[]][] = [
      [join(home, 'nowhere'), /There is no folder .*nowhere/],
      [join(folder, 'a.txt'), /a\.txt” is a file, not a folder/],
      [join(folder, 'a.txt', 'deeper'), /Could not open .*deeper/],
      ...(process.platform === 'win32'
        ? []
        : [[closed, /Could not open .*closed.*no permission/, asUser] satisfies (typeof cases)[0]]),
    ]
    for (const [cwd, words, launcher] of cases) {
      const { stdout, stderr, exit } = await finish(start(['x', ...scripted], cwd, launcher))
      expect([stdout, exit], cwd).toEqual(['', 1])
      expect(stderr).toMatch(words)
      expect(stderr.trim().split('\n')).toHaveLength(1)
    }
  })

  it('lets the lists decide what runs', async () => {
    const write = (path: string) => ({ call: 'write', arguments: { path, content: 'x' } })
    const steps = script([write('in.txt'), write('.vscode/tasks.json')], [{ text: 'ok' }])
    const run = await belayRun([steps, ...scripted, '--allowedTools', 'write'])
    expect(run).toMatchObject({ exit: 0, stderr: expect.stringContaining('A protected place') })
    expect(await readFile(join(folder, 'in.txt'), 'utf8')).toBe('x')
    await expect(stat(join(folder, '.vscode'))).rejects.toMatchObject({ code: 'ENOENT' })
    const none = await belayRun([
      script([write('no.txt')], [{ text: 'ok' }]),
      ...scripted,
      '--disallowedTools',
      'write',
    ])
    expect(none).toMatchObject({ exit: 0 })
    await expect(stat(join(folder, 'no.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('lets agents work for it: by the same lists, in one sum, without the question of a person', async () => {
    const hand = (agent: string, prompt: string) => ({
      call: 'task',
      arguments: { agent, description: 'work', prompt },
    })
    const write = (path: string) => [{ call: 'write', arguments: { path, content: 'x' } }]
    await mkdir(join(home, 'belay', 'config', 'agents'), { recursive: true })
    const helper = join(home, 'belay', 'config', 'agents', 'helper.md')
    await writeFile(helper, '---\ndescription: helps\ntools: [write]\n---\nYou help.\n')
    await mkdir(join(folder, '.belay', 'agents'), { recursive: true })
    await writeFile(join(folder, '.belay', 'agents', 'brought.md'), '---\ndescription: x\ntools: [write]\n---\nYou.\n')
    const steps = script(
      [hand('helper', script(write('helped.txt'), [{ text: 'Written.' }])), hand('brought', 'hello')],
      [{ text: 'Done.' }],
    )
    const json = ['--output-format', 'json']
    const run = await belayRun([steps, ...scripted, ...json, '--allowedTools', 'task,write'])
    expect(JSON.parse(run.stdout)).toMatchObject({ result: 'Done.', total_cost_usd: 440 / 1_000_000 })
    expect(await readFile(join(folder, 'helped.txt'), 'utf8')).toBe('x')
    const denied = script([hand('helper', script(write('not.txt'), [{ text: 'No.' }]))], [{ text: 'Done.' }])
    const asked = await belayRun([denied, ...scripted])
    expect(asked).toMatchObject({ exit: 0, stderr: expect.stringContaining('--allowedTools write') })
    await expect(stat(join(folder, 'not.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it.skipIf(process.platform === 'win32')('killed while an agent works, leaves two logs that say so', async () => {
    const mark = join(folder, 'at-work')
    const theirs = script([{ call: 'bash', arguments: { command: `touch ${mark}; sleep 60` } }], [{ text: 'never' }])
    const hand = { call: 'task', arguments: { agent: 'general', description: 'wait', prompt: theirs } }
    const child = start([script([hand], [{ text: 'never' }]), ...scripted, '--allowedTools', 'task,bash'])
    const ended = finish(child)
    await until(async () => stat(mark))
    child.kill('SIGKILL')
    await ended
    const sessions = join(home, 'belay', 'data', 'sessions')
    const store = createSessionStore({ folder: sessions, log: () => {}, instanceId: 'test', describeInstance: 'test' })
    try {
      const lines = await store.list({})
      const [newest] = lines.sort((a, b) => b.createdAt - a.createdAt)
      const family = newest ? await store.family(newest.sessionId) : []
      expect(family).toHaveLength(2)
      const outcomes = await Promise.all(
        family.map(async id => {
          const { state } = await store.open(id)
          const item = [...state.items.values()].findLast(({ kind }) => kind === 'tool')
          const [turn] = state.turns.values()
          return [turn?.outcome, item?.kind === 'tool' ? [item.tool, item.state, item.subagents?.[0]?.outcome] : null]
        }),
      )
      expect(outcomes).toEqual([
        ['lost', ['task', 'lost', 'lost']],
        ['lost', ['bash', 'lost', undefined]],
      ])
    } finally {
      await store.dispose()
      // What a kill leaves of an instance is the next start's to clear; here others look.
      await rm(join(home, 'belay', 'state', 'instances'), { recursive: true, force: true })
    }
  })

  it('trusts what the folder brings with --trust alone', async () => {
    await mkdir(join(folder, '.belay', 'agents'), { recursive: true })
    await writeFile(join(folder, '.belay', 'agents', 'local.md'), '---\ndescription: x\ntools: [write]\n---\nYou.\n')
    const prompt = script([{ call: 'write', arguments: { path: 'local.txt', content: 'x' } }], [{ text: 'Done.' }])
    const task = { call: 'task', arguments: { agent: 'local', description: 'work', prompt } }
    const args = [script([task], [{ text: 'Done.' }]), ...scripted, '--allowedTools', 'task,write']
    expect(await belayRun(args)).toMatchObject({ exit: 0 })
    await expect(stat(join(folder, 'local.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await belayRun([...args, '--trust'])).toMatchObject({ exit: 0 })
    expect(await readFile(join(folder, 'local.txt'), 'utf8')).toBe('x')
  })

  it.skipIf(process.platform === 'win32').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends everything on %s, in the middle of a tool', async (signal, code) => {
    const pidFile = join(folder, `pid-${signal}`)
    // In the jail its number is another one: it is known by how long it would sleep.
    const seconds = `60.${randomInt(1e9)}`
    const command = `echo $$ > ${pidFile}.part && mv ${pidFile}.part ${pidFile} && sleep ${seconds}`
    const steps = script([{ text: 'Waiting.' }, { call: 'bash', arguments: { command } }], [{ text: 'never' }])
    const child = start([steps, ...scripted, '--allowedTools', 'bash', '--output-format', 'json'])
    const ended = finish(child)
    await until(async () => Number(await readFile(pidFile, 'utf8')))
    expect(commandLines()).toContain(seconds)
    child.kill(signal)
    const { stdout, exit } = await ended
    expect([exit, JSON.parse(stdout)]).toMatchObject([code, { is_error: true, interrupted: true, result: 'Waiting.' }])
    expect(commandLines()).not.toContain(seconds)
  })

  it('refuses what is no text, and hands it over as far as it can be read beside a prompt', async () => {
    const latin = Buffer.from([0x63, 0x61, 0x66, 0xe9])
    expect(await belayRun(scripted, latin)).toMatchObject({
      stdout: '',
      exit: 1,
      stderr: expect.stringContaining('stdin is not UTF-8'),
    })
    expect(await belayRun(['look', ...scripted], latin)).toMatchObject({
      stdout: expect.stringContaining('caf\ufffd'),
      stderr: expect.stringContaining('is handed over as'),
      exit: 0,
    })
  })

  it('goes on where its reader has gone, and says no more', async () => {
    const child = start([script([{ text: 'one' }], [{ text: 'never' }]), ...scripted, '--output-format', 'stream-json'])
    child.stdout.destroy()
    expect(await finish(child)).toEqual({ stdout: '', stderr: '', exit: 0 })
  })

  it('says who has a session that is busy, and passes over what is broken in one', async () => {
    const own = 'ses_busy_one'
    const endless = script([{ text: 'half' }, { delayMs: 600_000 }])
    const holder = start([endless, ...scripted, '--session-id', own, '--output-format', 'stream-json'])
    await once(holder.stdout, 'data')
    const busy = await belayRun(['x', ...scripted, '--resume', own])
    expect(busy).toMatchObject({ stdout: '', exit: 1 })
    expect(busy.stderr).toMatch(/is open for writing in Belay \d+/)
    holder.kill('SIGTERM')
    await once(holder, 'close')
    const [log = ''] = (await readdir(join(home, 'belay', 'data', 'sessions', own))).filter(name =>
      name.endsWith('.jsonl'),
    )
    await appendFile(join(home, 'belay', 'data', 'sessions', own, log), '00 garbage {"type":\n{"torn')
    expect(await belayRun(['and on', ...scripted, '--resume', own])).toMatchObject({
      stdout: expect.stringContaining('You said: and on'),
      exit: 0,
    })
  })

  it('leaves no instance behind, also when several run at once', async () => {
    const runs = await Promise.all(['a', 'b', 'c'].map(word => belayRun([word, ...scripted])))
    expect(runs.map(({ stdout }) => stdout)).toEqual(['You said: a\n', 'You said: b\n', 'You said: c\n'])
    expect(await readdir(join(home, 'belay', 'state', 'instances'))).toEqual([])
  })
})

/** Of every process of this machine. */
function commandLines(): string {
  if (process.platform !== 'linux') return execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' })
  const lines = readdirSync('/proc').map(pid => {
    try {
      return readFileSync(join('/proc', pid, 'cmdline'), 'utf8')
    } catch {
      return ''
    }
  })
  return lines.join('\n')
}

/** Tries until it works; the test's own timeout ends it. */
async function until<T>(look: () => Promise<T>): Promise<T> {
  for (;;) {
    const found = await look().catch(() => null)
    if (found) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
