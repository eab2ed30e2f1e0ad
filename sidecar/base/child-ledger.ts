/** Which children run on behalf of a process, in a file: what a killed one left behind can be found and ended, and nothing else. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRegular } from './atomic-file.ts'
import type { ChildLedger } from './process-group.ts'
import { bootId, type ProcessStamp, stampNow, stampOf } from './process-info.ts'
import { endProcesses } from './process-tree.ts'
import { createSerial } from './serial.ts'

const MOST_BYTES = 64_000_000

export type LedgerOwner = 'supervisor' | 'sidecar' | 'pty-host' | 'run' | 'stream' | 'acp' | 'terminal'

/** One file for each process of an instance: a crashed sidecar's children end, the pty host's live on. */
export const ledgerFile = (stateDir: string, instanceId: string, owner: LedgerOwner): string =>
  join(stateDir, 'instances', `${instanceId}.${owner}.children`)

/** Lines reach the kernel before anything can be awaited; no fsync, since no child survives a power cut either. */
export function createChildLedger(file: string): ChildLedger & { idle(): Promise<void> } {
  const serial = createSerial()
  const append = (line: object) => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  }
  const quietly = (work: () => Promise<void> | void) => void serial(work).catch(() => {})
  return {
    add(pid) {
      // At once: who is killed a moment after its child began must have written it down.
      const stamp = stampNow(pid)
      if (!stamp) return quietly(async () => append({ add: await stampOf(pid) }))
      try {
        append({ add: stamp })
      } catch {
        // A full disk: the child still ends with this process, as long as that ends in order.
      }
    },
    remove: pid => quietly(() => append({ remove: pid })),
    idle: () => serial.idle(),
  }
}

/** Those added and not removed. A line that cannot be read is passed over. */
export async function readLedger(file: string): Promise<ProcessStamp[]> {
  const open = new Map<number, ProcessStamp>()
  const text = await readRegular(file, MOST_BYTES).then(String, () => '')
  for (const line of text.split('\n')) {
    try {
      const { add, remove } = JSON.parse(line) as { add?: ProcessStamp; remove?: number }
      if (add) open.set(add.pid, add)
      else if (remove !== undefined) open.delete(remove)
    } catch {
      // The last line of a killed process may be torn.
    }
  }
  return [...open.values()]
}

/** Ends what is on the ledger and still is the very process that was written down. Returns the pids. Never rejects. */
export async function endLedger(file: string, graceMs: number): Promise<number[]> {
  const boot = await bootId()
  const roots = (await readLedger(file)).filter(stamp => stamp.bootId === boot && stamp.startedAt !== null)
  return roots.length === 0 ? [] : endProcesses(roots, { graceMs })
}
