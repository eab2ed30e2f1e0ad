/** Commands that outlive their turn: one registry for the tools, the chips and the tabs. They end with their workspace. */
import { StringDecoder } from 'node:string_decoder'
import type { Handlers } from '#contract/define'
import { BelayError } from '#contract/error'
import { BackgroundId, type WorkspaceId } from '#contract/id'
import type { Violation } from '#contract/sandbox'
import type { BackgroundCommand, background } from '#contract/session'
import type { ToolContext } from '../agent/ports.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { newId } from '../base/id.ts'
import type { ProcessGroup } from '../base/process-group.ts'
import { tellViolation } from '../sandbox/violations.ts'
import { type CommandPlace, type CommandSetup, startCommand } from './command.ts'
import { followWrites } from './command-writes.ts'

/** UTF-16 units of the newest output that are kept of each. */
const KEPT_CHARS = 1_000_000
/** Ended commands that stay listed, per workspace. */
const KEPT_ENDED = 20
const GRACE_MS = 2000

interface Running {
  command: BackgroundCommand
  group: ProcessGroup
  readonly jailed: boolean
  text: string
  /** Offset at which `text` starts. */
  from: number
  /** Up to where bash_output has told the model. */
  told: number
  /** Somebody ended it; what that means is said when nothing of it runs any more. */
  stopping: boolean
}

export interface Backgrounds {
  readonly handlers: Handlers<{ background: typeof background }>['background']
  /** `to`: only clients that opened it; without it, all. */
  readonly events: Emitter<{ name: string; payload: unknown; to?: (clientId: string) => boolean }>
  /** Rejects with words for the model where it cannot be started. */
  start(options: { place: CommandPlace; setup: CommandSetup; context: ToolContext }): Promise<BackgroundCommand>
  /** What came since the last call, and how it stands. Throws words for the model when there is no such command. */
  /** Whether the jail holds it. Throws as `news`. */
  isJailed(id: string): boolean
  news(id: string): { text: string; missed: number; command: BackgroundCommand }
  write(id: string, text: string): void
  stop(id: string): Promise<BackgroundCommand>
  endWorkspace(workspaceId: WorkspaceId): Promise<void>
  /** A client went away: it no longer follows any output. */
  forget(clientId: string): void
  dispose(): Promise<void>
}

export function createBackgrounds(): Backgrounds {
  const all = new Map<string, Running>()
  const followers = new Map<string, Set<string>>()
  const events = createEmitter<{ name: string; payload: unknown; to?: (clientId: string) => boolean }>()

  const known = (id: string): Running => {
    const running = all.get(id)
    if (!running) {
      const ids = [...all.values()]
        .filter(each => each.command.state === 'running')
        .map(each => each.command.backgroundId)
      throw new BelayError(
        'not_found',
        `There is no background command ${id}. ${ids.length > 0 ? `Running now: ${ids.join(', ')}.` : 'None is running.'}`,
      )
    }
    return running
  }
  const change = (running: Running, facts: Partial<BackgroundCommand>) => {
    running.command = { ...running.command, ...facts }
    events.emit({ name: 'background/changed', payload: { command: running.command } })
  }
  const add = (running: Running, text: string) => {
    if (text === '') return
    const { backgroundId, length } = running.command
    running.text += text
    if (running.text.length > 2 * KEPT_CHARS) {
      running.from += running.text.length - KEPT_CHARS
      running.text = running.text.slice(-KEPT_CHARS)
    }
    running.command = { ...running.command, length: length + text.length }
    events.emit({
      name: 'background/output',
      payload: { backgroundId, offset: length, text },
      to: clientId => followers.get(backgroundId)?.has(clientId) ?? false,
    })
  }
  const forgetOldest = (workspaceId: WorkspaceId) => {
    const ended = [...all.values()].filter(
      each => each.command.workspaceId === workspaceId && each.command.state !== 'running',
    )
    for (const old of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED))) all.delete(old.command.backgroundId)
  }
  const stop = async (id: string) => {
    const running = known(id)
    if (running.command.state !== 'running') return running.command
    running.stopping = true
    await running.group.end(GRACE_MS)
    if (running.command.state === 'running') change(running, { state: 'stopped' })
    return running.command
  }

  const write = (id: string, text: string) => {
    const { command, group } = known(id)
    if (command.state !== 'running' || !group.stdin?.writable)
      throw new BelayError('unavailable', `${id} has ended and takes no input any more.`)
    group.stdin.write(text)
  }

  const start: Backgrounds['start'] = async ({ place, setup, context }) => {
    const { command, cwd } = place
    const watched = await setup.watchWrites?.(context)
    const told = new Set<Violation>()
    /** At once: who waits for what it says is not to learn at its end why it said nothing. */
    const tell = (violation: Violation) => {
      told.add(violation)
      add(running, `\nJail: ${tellViolation(violation)}\n`)
    }
    const started = startCommand(setup, place, 'pipe', context, tell)
    const { group, jailed, settle } = await started.catch(async fault => {
      await watched?.end()
      throw fault
    })
    const writes = watched && followWrites(watched, context)
    const running: Running = {
      command: {
        backgroundId: BackgroundId.parse(newId('bg')),
        sessionId: context.sessionId,
        workspaceId: context.workspaceId,
        command,
        cwd,
        startedAt: Date.now(),
        state: 'running',
        exitCode: null,
        length: 0,
      },
      group,
      jailed,
      text: '',
      from: 0,
      told: 0,
      stopping: false,
    }
    all.set(running.command.backgroundId, running)
    for (const stream of [group.stdout, group.stderr]) {
      const decoder = new StringDecoder('utf8')
      stream.on('data', (bytes: Buffer) => add(running, decoder.write(bytes)))
    }
    // Writing to a command that just ended is no fault of Belay's; `exited` tells.
    group.stdin?.on('error', () => {})
    void group.exited.then(async ({ code }) => {
      await group.end(GRACE_MS)
      for (const violation of await settle(running.text))
        if (!told.has(violation)) add(running, `\nJail: ${tellViolation(violation)}`)
      await writes?.ended()
      const state = running.stopping ? 'stopped' : 'exited'
      change(running, { exitCode: code, ...(running.command.state === 'running' ? { state } : {}) })
      forgetOldest(running.command.workspaceId)
    })
    change(running, {})
    return running.command
  }

  return {
    events,
    start,
    stop,
    isJailed: id => known(id).jailed,
    news(id) {
      const running = known(id)
      const missed = Math.max(0, running.from - running.told)
      const text = running.text.slice(Math.max(0, running.told - running.from))
      running.told = running.command.length
      return { text, missed, command: running.command }
    },
    write,
    async endWorkspace(workspaceId) {
      const mine = [...all.values()].filter(each => each.command.workspaceId === workspaceId)
      await Promise.all(mine.map(each => stop(each.command.backgroundId)))
      for (const each of mine) all.delete(each.command.backgroundId)
    },
    forget(clientId) {
      for (const clients of followers.values()) clients.delete(clientId)
    },
    async dispose() {
      await Promise.all([...all.keys()].map(stop))
    },
    handlers: {
      list: ({ workspaceId }) => ({
        commands: [...all.values()].map(each => each.command).filter(command => command.workspaceId === workspaceId),
      }),
      open({ backgroundId }, { clientId }) {
        const running = known(backgroundId)
        followers.set(backgroundId, (followers.get(backgroundId) ?? new Set()).add(clientId))
        return { command: running.command, offset: running.from, text: running.text }
      },
      close({ backgroundId }, { clientId }) {
        followers.get(backgroundId)?.delete(clientId)
        return {}
      },
      input({ backgroundId, text }) {
        write(backgroundId, text)
        return {}
      },
      async stop({ backgroundId }) {
        await stop(backgroundId)
        return {}
      },
    },
  }
}
