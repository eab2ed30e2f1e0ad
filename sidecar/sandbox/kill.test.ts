/** What becomes of a jailed command when Belay is killed, or the person says stop. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundled } from '../base/bundled.case.ts'
import { createJailRig } from './jail.case.ts'
import { createPlaceholders } from './placeholders.ts'
import { createSessionTemps } from './session-temp.ts'

const onLinux = describe.skipIf(process.platform !== 'linux')
const repository = join(import.meta.dirname, '../..')
let folder: string
let child: string
beforeAll(async () => {
  mkdirSync(join(repository, '.cache'), { recursive: true })
  folder = mkdtempSync(join(repository, '.cache/jail-kill-'))
  child = await bundled(
    'jail',
    `import { createJailRig } from './sidecar/sandbox/jail.case.ts'
     const rig = createJailRig()
     const running = await rig.start(process.argv[2])
     await running.heard('up')
     process.stdout.write(rig.base + '\\n')
     setInterval(() => {}, 1000)`,
    folder,
    ['@anthropic-ai/sandbox-runtime'],
  )
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Command lines of what runs now. */
const running = (): string[] =>
  readdirSync('/proc').flatMap(pid => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : []
    } catch {
      return []
    }
  })
async function gone(mark: string, withinMs: number): Promise<number> {
  const began = Date.now()
  while (running().some(line => line.includes(mark))) {
    if (Date.now() - began > withinMs) throw new Error('it still runs')
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return Date.now() - began
}

onLinux('a command in the jail', () => {
  it('dies with a killed Belay, with all it started; the next start clears away what it left', async () => {
    const mark = `7${Math.floor(Math.random() * 1e8)}`
    const belay = spawn(
      process.execPath,
      [child, `setsid sleep ${mark} & nohup sleep ${mark} & echo up; sleep ${mark}`],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 30_000,
      },
    )
    const [line] = (await once(belay.stdout, 'data')) as [Buffer]
    const base = String(line).trim()
    expect(running().some(each => each.includes(mark))).toBe(true)
    expect(readdirSync(join(base, 'work'))).toContain('.vscode')
    belay.kill('SIGKILL')
    await once(belay, 'exit')
    await gone(mark, 2000)
    const next = createPlaceholders(join(base, 'state/jail'))
    await next.recover()
    await createSessionTemps().sweep()
    expect(readdirSync(join(base, 'work'))).toEqual([])
    expect(readdirSync(join(base, 'state/jail'))).toEqual([])
    rmSync(base, { recursive: true, force: true })
  })
  it('that takes no notice of a signal is ended within a second, with all it started', async () => {
    const rig = createJailRig()
    const mark = `8${Math.floor(Math.random() * 1e8)}`
    const deaf = await rig.start(
      `trap '' TERM INT HUP; setsid sleep ${mark} & echo up; while :; do sleep ${mark}; done`,
    )
    await deaf.heard('up')
    const began = Date.now()
    await deaf.end()
    expect(Date.now() - began).toBeLessThan(1000)
    await gone(mark, 500)
    expect(readdirSync(rig.work)).toEqual([])
    await rig.end()
  })
})
