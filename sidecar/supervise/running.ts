/** What still runs, asked of sidecar and pty host like any client would: so that quitting can say what it ends. */
import { contract, ptyContract } from '#contract/index'
import { askChild } from './ask-child.ts'
import type { Supervisor } from './supervisor.ts'

export interface Running {
  /** Titles of sessions that work or wait for an answer. */
  readonly sessions: string[]
  /** Command lines in the background. */
  readonly commands: string[]
  /** What runs in terminals, other than their shells. */
  readonly terminals: string[]
}

/** A process that does not answer in time runs nothing that could be named. Never rejects. */
export async function whatRuns(supervisor: Supervisor): Promise<Running> {
  const asked = await askChild(supervisor, 'sidecar', contract, async sidecar => {
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
  const terminals = await askChild(supervisor, 'pty-host', ptyContract, async pty => {
    const lists = await Promise.all(
      (asked?.workspaces ?? []).map(({ workspaceId }) => pty.terminal.list({ workspaceId })),
    )
    const running = lists.flatMap(each => each.terminals).filter(each => each.state === 'running')
    const inFront = await Promise.all(running.map(({ terminalId }) => pty.terminal.foreground({ terminalId })))
    return inFront.flatMap(each => (each.busy ? [each.process ?? '?'] : []))
  })
  return { sessions: asked?.sessions ?? [], commands: asked?.commands ?? [], terminals: terminals ?? [] }
}
