/**
 * Children that can be ended whole: each in its own process group, ended by TERM, a grace, KILL, on the group and on every
 * descendant that left it. Promise: when `end` resolves nothing of it runs any more (or the kernel refuses to let it die).
 */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as after } from 'node:timers/promises'
import { BelayError } from '#contract/error'
import type { ProcessInfo } from './process-info.ts'
import { endProcesses, GROUP_MARK, membersOf } from './process-tree.ts'

/** What runs on behalf of an instance, so that a later start can end what a killed one left behind. */
export interface ChildLedger {
  add(pid: number): void
  remove(pid: number): void
}

export interface ProcessGroup {
  readonly pid: number
  /** Null unless `stdin: 'pipe'`. Errors (EPIPE) are swallowed. */
  readonly stdin: Writable | null
  readonly stdout: Readable
  readonly stderr: Readable
  /** Settles when the first process is reaped and its output has ended or was cut; others of the group may still run. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>
  /** TERM, `graceMs` (2000), KILL. Never rejects; the same end for every caller. */
  end(graceMs?: number): Promise<void>
}

/** How long output is awaited after the first process has exited while another still holds the pipe. */
const OUTPUT_CUT_MS = 250

/** Throws `unavailable` when the command cannot be started (and `not_found` when `cwd` is missing). No shell is involved. */
export function spawnGroup(
  command: string,
  args: string[],
  options: {
    cwd: string
    env: Record<string, string>
    stdin?: 'pipe' | 'ignore'
    ledger?: ChildLedger
    /** Descriptors of ours that the command gets as 3, 4, ...; closing ours is the caller's. */
    inherit?: readonly number[]
    /** Known to start nothing that outlives it: at its end the system's processes are not looked through. */
    leavesNothing?: boolean
  },
): ProcessGroup {
  if (!statSync(options.cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new BelayError('not_found', `The folder ${options.cwd} does not exist, so ${command} was not started.`)
  }
  const mark = randomBytes(8).toString('hex')
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, [GROUP_MARK]: mark },
    stdio: [options.stdin ?? 'ignore', 'pipe', 'pipe', ...(options.inherit ?? [])],
    // Windows would open a console window; there the tree is ended by taskkill.
    detached: process.platform !== 'win32',
    windowsHide: true,
  })
  child.on('error', () => {})
  child.stdin?.on('error', () => {})
  const { pid, stdout, stderr } = child
  if (pid === undefined || !stdout || !stderr) {
    throw new BelayError('unavailable', `${command} could not be started: it was not found or may not be run.`)
  }
  options.ledger?.add(pid)
  /** What outlived the first process, once that has exited: from then on its pid proves nothing. */
  let left: Promise<ProcessInfo[]> | undefined
  const exited = new Promise<{ code: number | null; signal: string | null }>(resolve => {
    child.once('exit', (code, signal) => {
      left = options.leavesNothing ? Promise.resolve([]) : membersOf({ group: pid, mark })
      void left.then(members => {
        for (const member of members) options.ledger?.add(member.pid)
        options.ledger?.remove(pid)
      })
      // One that outlives the first and keeps its pipes must not keep this from settling.
      const cut = setTimeout(() => resolve({ code, signal }), OUTPUT_CUT_MS)
      child.once('close', () => {
        clearTimeout(cut)
        resolve({ code, signal })
      })
    })
  })
  const endAll = async (graceMs: number) => {
    const roots = left ? await left : [{ pid, startedAt: null }]
    const ended = await endProcesses(roots, { graceMs, mark, ...(left ? { group: pid } : {}) })
    await Promise.race([exited, after(1000, undefined, { ref: false })])
    // What the look after the first one's exit saw in the middle of this is in the ledger too.
    const late = ((await left) ?? []).filter(member => !ended.includes(member.pid))
    if (late.length > 0) ended.push(...(await endProcesses(late, { graceMs, mark })))
    for (const member of ended) options.ledger?.remove(member)
    for (const stream of [child.stdin, stdout, stderr]) stream?.destroy()
  }
  let ending: Promise<void> | undefined
  return {
    pid,
    stdin: child.stdin,
    stdout,
    stderr,
    exited,
    end(graceMs = 2000) {
      ending ??= endAll(graceMs)
      return ending
    },
  }
}
