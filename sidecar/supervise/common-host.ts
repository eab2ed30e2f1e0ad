/** What the hosts of every form answer and tell alike: how the supervisor's children are, and the machine around them. */
import type { Handlers } from '#contract/define'
import type { HostContract } from '#contract/supervision'
import type { MachineReports } from './machine/machine.ts'
import type { Supervisor } from './supervisor.ts'

type CommonHandlers = Pick<
  Handlers<HostContract>['host'],
  'children' | 'restart' | 'childLines' | 'machine' | 'askShellAgain'
>

export const commonHandlers = (supervisor: Supervisor, machine: MachineReports): CommonHandlers => ({
  children: () => ({ children: supervisor.children() }),
  restart: async ({ child }) => {
    await supervisor.restart(child)
    return {}
  },
  childLines: ({ child }) => ({ lines: [...supervisor.lines(child)] }),
  machine: machine.report,
  askShellAgain: () => {
    machine.askShellAgain()
    return {}
  },
})

/** Returns what ends it. */
export function tellCommon(
  supervisor: Supervisor,
  machine: MachineReports,
  tell: (name: string, payload: unknown) => void,
): () => void {
  const ends = [
    supervisor.changed.on(state => tell('host/childChanged', state)),
    machine.reports.on(report => tell('host/machineChanged', report)),
  ]
  return () => {
    for (const end of ends) end()
  }
}
