/** The life of a process under the supervisor: one start message, and when the supervisor goes or asks, its endings and its end. */
import { createLog, type Log } from './log.ts'
import { findParent, type Parent, type StartMessage } from './parent.ts'

const ENDING_TIMEOUT_MS = 2500

export interface SupervisedLife {
  readonly log: Log
  readonly parent: Parent
  /** Run one after the other before the process ends, the last given first. */
  atEnd(...endings: readonly (() => Promise<void>)[]): void
}

/**
 * `what` names it in words: “Belay’s core”. A `start` that rejects ends the process with words on stderr; so does starting it by
 * hand. Endings that take too long are cut short.
 */
export function runSupervised(
  name: string,
  what: string,
  start: (facts: StartMessage, life: SupervisedLife) => Promise<void>,
): void {
  const parent = findParent()
  if (!parent) {
    process.stderr.write(`This is ${what}; it is started by “belay web” or the desktop app.\n`)
    process.exitCode = 1
    return
  }
  const log = createLog(name)
  const endings: (() => Promise<void>)[] = []
  let ending = false
  const end = async () => {
    if (ending) return
    ending = true
    setTimeout(() => process.exit(1), ENDING_TIMEOUT_MS).unref()
    for (const each of endings.reverse())
      await each().catch(fault => log('error', 'ending failed', { fault: `${fault}` }))
    process.exit(0)
  }
  const life: SupervisedLife = { log, parent, atEnd: (...more) => void endings.push(...more) }
  parent.onMessage(message => {
    if ((message as { kind?: unknown } | null)?.kind !== 'start') return
    void start(message as StartMessage, life).catch(fault => {
      process.stderr.write(`${what} could not start: ${fault instanceof Error ? fault.stack : String(fault)}\n`)
      process.exit(1)
    })
  })
  parent.onClose(() => void end())
  process.on('SIGTERM', () => void end())
}
