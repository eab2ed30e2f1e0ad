/** What still runs, asked of sidecar and pty host like any client would: so that quitting can say what it ends. */
import { createClient } from '#contract/client'
import type { Contract } from '#contract/define'
import { contract, ptyContract } from '#contract/index'
import { PROTOCOL_VERSION } from '#contract/protocol'
import { newId } from '../base/id.ts'
import { connectOver } from '../transport/connection.ts'
import { connectLocal } from '../transport/local-socket.ts'
import type { Supervisor } from './supervisor.ts'

export interface Running {
  /** Titles of sessions that work or wait for an answer. */
  readonly sessions: string[]
  /** Command lines in the background. */
  readonly commands: string[]
  /** What runs in terminals, other than their shells. */
  readonly terminals: string[]
}

const TIMEOUT_MS = 2000

/** A process that does not answer in time runs nothing that could be named. Never rejects. */
export async function whatRuns(supervisor: Supervisor): Promise<Running> {
  const asked = await ask(supervisor, 'sidecar', contract, async sidecar => {
    const { sessions } = await sidecar.session.list({})
    const { workspaces } = await sidecar.workspace.opened({})
    const lists = await Promise.all(workspaces.map(({ workspaceId }) => sidecar.background.list({ workspaceId })))
    const commands = lists.flatMap(each => each.commands).filter(each => each.state === 'running')
    return {
      sessions: sessions.filter(each => each.state !== 'idle' && !each.heldBy).map(each => each.title),
      commands: commands.map(each => each.command),
      workspaces,
    }
  })
  const terminals = await ask(supervisor, 'pty-host', ptyContract, async pty => {
    const lists = await Promise.all(
      (asked?.workspaces ?? []).map(({ workspaceId }) => pty.terminal.list({ workspaceId })),
    )
    const running = lists.flatMap(each => each.terminals).filter(each => each.state === 'running')
    const inFront = await Promise.all(running.map(({ terminalId }) => pty.terminal.foreground({ terminalId })))
    return inFront.flatMap(each => (each.busy ? [each.process ?? '?'] : []))
  })
  return { sessions: asked?.sessions ?? [], commands: asked?.commands ?? [], terminals: terminals ?? [] }
}

async function ask<C extends Contract, T>(
  supervisor: Supervisor,
  child: 'sidecar' | 'pty-host',
  words: C,
  work: (client: ReturnType<typeof createClient<C>>) => Promise<T>,
): Promise<T | null> {
  const target = supervisor.target(child)
  if (!target) return null
  try {
    const connection = connectOver(await connectLocal({ ...target, timeoutMs: TIMEOUT_MS }))
    const timer = setTimeout(() => connection.dispose(), TIMEOUT_MS)
    try {
      const hello = { protocol: PROTOCOL_VERSION, name: 'supervisor', clientId: newId('sup') }
      await connection.sendRequest('link/hello', hello)
      return await work(createClient(words, connection))
    } finally {
      clearTimeout(timer)
      connection.dispose()
    }
  } catch {
    return null
  }
}
