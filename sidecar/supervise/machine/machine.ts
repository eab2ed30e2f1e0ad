/** The machine as a supervisor offers it to its sidecar and reports of it to its windows. What a platform does in its own way is given. */
import type { EventName } from '#contract/define'
import type { MachineReport } from '#contract/machine'
import type { SupervisorContract } from '#contract/supervision'
import { createEmitter, type Emitter } from '../../base/emitter.ts'
import type { Machine } from '../serve-machine.ts'
import type { Secrets } from './secrets.ts'
import type { ShellEnvironment } from './shell-environment.ts'
import { moveToTrash } from './trash.ts'

/** For windows. */
export interface MachineReports {
  report(): Promise<MachineReport>
  readonly reports: Emitter<MachineReport>
  askShellAgain(): void
}

export interface MachineOptions {
  secrets: Secrets
  env: NodeJS.ProcessEnv
  /** Its maker's to end. */
  shell: ShellEnvironment
  /** Never rejects. Without it there is no system to ask: straight. */
  systemProxy?: (url: string) => Promise<string>
  /** Without it the machine sleeps when it will. */
  keepAwake?: (on: boolean) => void
}

export function createMachine(options: MachineOptions): Machine & MachineReports {
  const { secrets, env, shell } = options
  const news: Emitter<EventName<SupervisorContract>> = createEmitter()
  const reports: Emitter<MachineReport> = createEmitter()
  const report = async (): Promise<MachineReport> => ({ shell: shell.report, keys: await secrets.keeping() })
  const tell = async () => reports.listeners > 0 && reports.emit(await report())
  shell.changed.on(({ state }) => {
    if (state === 'unasked') news.emit('supervisor/environmentChanged')
    void tell()
  })
  return {
    news,
    handlers: {
      secretGet: ({ name }) => secrets.get(name),
      secretSet: async ({ name, value }) => {
        await secrets.set(name, value)
        return {}
      },
      secretDelete: async ({ name }) => {
        await secrets.set(name, null)
        return {}
      },
      trash: async ({ absolute }) => ({ place: await moveToTrash(absolute, env) }),
      shellEnvironment: async () => ({ env: await shell.get() }),
      proxyFor: async ({ url }) => ({ rules: (await options.systemProxy?.(url)) ?? 'DIRECT' }),
      keepAwake: ({ on }) => {
        options.keepAwake?.(on)
        return {}
      },
    },
    report: async () => {
      void secrets.sealPlain()
      return report()
    },
    reports,
    askShellAgain() {
      shell.askAgain()
      void shell.get()
    },
  }
}
