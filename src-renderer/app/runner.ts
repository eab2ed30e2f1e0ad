/** Runs commands: one table of handlers out of all features. A failure is shown to the person, here and nowhere else. */
import { toFault } from '#contract/error'
import type { CommandId, RunCommand } from '../features/commands.ts'
import type { CommandHandlers, Feature } from '../features/feature.ts'
import { t } from '../ui/i18n.ts'
import { toast } from '../ui/index.ts'

export interface Runner {
  readonly run: RunCommand
  /** False: nothing of what is here answers to it. */
  has(id: CommandId): boolean
  /** Hears of each command before it runs. */
  onRun(listener: (id: CommandId, argument: unknown) => void): void
}

type Handler = (argument: unknown, run: RunCommand) => void | Promise<void>

export function createRunner(features: readonly Feature[], own: CommandHandlers): Runner {
  const handlers = new Map<string, Handler>()
  for (const commands of [...features.map(feature => feature.commands ?? {}), own])
    for (const [id, handler] of Object.entries(commands)) if (!handlers.has(id)) handlers.set(id, handler as Handler)
  const listeners: ((id: CommandId, argument: unknown) => void)[] = []
  const run = async (id: CommandId, argument?: unknown) => {
    const handler = handlers.get(id)
    if (!handler) {
      toast.error(t('app.noHandler', { command: t(`command.${id}`) }), { id: `no-${id}` })
      return
    }
    for (const listener of listeners) listener(id, argument)
    try {
      await handler(argument, run as RunCommand)
    } catch (thrown) {
      showFault(t(`command.${id}`), thrown)
    }
  }
  return { run: run as RunCommand, has: id => handlers.has(id), onRun: listener => void listeners.push(listener) }
}

/** What happened, in words that can be copied. A person's own cancelling is no news. */
export function showFault(what: string, thrown: unknown): void {
  const { code, message } = toFault(thrown)
  if (code === 'cancelled') return
  if (code === 'internal') console.error(thrown)
  toast.error(what, { detail: message, id: `fault-${what}` })
}
