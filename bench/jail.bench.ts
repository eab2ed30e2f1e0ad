/**
 * A command in the jail against the same command as sandbox-runtime's own manager runs it, in turns, in a tree of 400 folders
 * under git. Bar: Belay's median <= the manager's + 5 ms; printed beside no jail at all.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SandboxManager } from '@anthropic-ai/sandbox-runtime'
import { rgPath } from '@vscode/ripgrep'
import { createJailRig } from '../sidecar/sandbox/jail.case.ts'

const FOLDERS = 400
const FILES_EACH = 10
const ROUNDS = 30
const ALLOWED_MS = 5
const COMMAND = 'true'

const rig = createJailRig()
for (let at = 0; at < FOLDERS; at++) {
  const here = join(rig.work, `d${at % 20}`, `e${at}`)
  mkdirSync(here, { recursive: true })
  for (let file = 0; file < FILES_EACH; file++) writeFileSync(join(here, `f${file}.ts`), 'x')
}
execFileSync('git', ['init', '-q', rig.work])
// The manager protects what is in the folder in which its process was started.
process.chdir(rig.work)
await SandboxManager.initialize({
  network: { allowedDomains: [], deniedDomains: [] },
  ripgrep: { command: rgPath },
  filesystem: { denyRead: ['~/.ssh', '~/.aws'], allowWrite: [rig.work], denyWrite: [] },
})

/** The same bare start for each way: how Belay ends a group is no cost of the jail. */
const ended = (
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
  inherit: readonly number[] = [],
) =>
  new Promise<void>(resolve => {
    const stdio = ['ignore' as const, 'ignore' as const, 'ignore' as const, ...inherit]
    spawn(program, args, { cwd: rig.work, stdio, env }).on('close', () => resolve())
  })

const ways = {
  async none() {
    await ended('bash', ['-c', COMMAND])
  },
  async manager() {
    process.chdir(rig.work)
    const line = await SandboxManager.wrapWithSandbox(COMMAND, 'bash')
    await ended('bash', ['-c', line])
    SandboxManager.cleanupAfterCommand()
  },
  async belay() {
    process.chdir('/')
    const { words, env, inherit, started, finish } = await rig.jail.prepare(rig.request(COMMAND))
    const [program, ...rest] = words
    const running = ended(program, rest, env, inherit)
    started()
    await running
    await finish('')
  },
}
const times: Record<keyof typeof ways, number[]> = { none: [], manager: [], belay: [] }
for (let round = -2; round < ROUNDS; round++)
  for (const name of ['none', 'manager', 'belay'] as const) {
    const began = performance.now()
    await ways[name]()
    if (round >= 0) times[name].push(performance.now() - began)
  }
process.chdir('/')
await SandboxManager.reset()
await rig.end()

const median = (all: number[]) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
const [none, manager, belay] = [median(times.none), median(times.manager), median(times.belay)]
console.log(`no jail            ${none.toFixed(1)} ms`)
console.log(`sandbox-runtime    ${manager.toFixed(1)} ms`)
console.log(`Belay              ${belay.toFixed(1)} ms`)
const over = belay - manager
console.log(
  `over its own       ${over.toFixed(1)} ms (bar ${ALLOWED_MS} ms) ${over <= ALLOWED_MS ? 'ok' : 'ABOVE THE BAR'}`,
)
process.exit(0)
