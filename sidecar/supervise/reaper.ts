/** Ends what instances left behind that are provably dead. Promise: nothing of a living instance is touched. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { endLedger } from '../base/child-ledger.ts'
import { acquireLock } from '../base/lock-file.ts'
import type { Log } from '../base/log.ts'
import { instanceIds, instanceLock, instancesFolder, readInstance, removeTraces } from './instance.ts'

/** Taking the dead one's lock is the proof, and keeps two reapers apart. Never rejects. */
export async function reapDeadInstances(options: {
  stateDir: string
  /** The reaper's own instance, for the lock's record. */
  instanceId: string
  log: Log
  graceMs?: number
}): Promise<{ instances: string[]; ended: number[] }> {
  const { stateDir, log } = options
  const reaped: { instances: string[]; ended: number[] } = { instances: [], ended: [] }
  for (const id of await instanceIds(stateDir)) {
    try {
      const lock = await acquireLock(instanceLock(stateDir, id), {
        instanceId: options.instanceId,
        what: 'belay reaper',
      })
      if ('heldBy' in lock) continue
      const ended = await endAllOf(stateDir, id, options.graceMs ?? 2000)
      await removeSockets(stateDir, id)
      await removeTraces(stateDir, id)
      await lock.release()
      reaped.instances.push(id)
      reaped.ended.push(...ended)
      if (ended.length > 0) log('info', 'ended what a dead instance left running', { id, ended })
    } catch (fault) {
      log('warn', 'a dead instance could not be cleared away', { id, fault: String(fault) })
    }
  }
  return reaped
}

async function endAllOf(stateDir: string, id: string, graceMs: number): Promise<number[]> {
  const folder = instancesFolder(stateDir)
  const ledgers = (await readdir(folder)).filter(name => name.startsWith(`${id}.`) && name.endsWith('.children'))
  const ended = await Promise.all(ledgers.map(name => endLedger(join(folder, name), graceMs)))
  return ended.flat()
}

async function removeSockets(stateDir: string, id: string): Promise<void> {
  const record = await readInstance(stateDir, id)
  for (const path of [record?.sidecar?.path, record?.control?.path]) {
    if (path && (await stat(path).catch(() => null))?.isSocket()) await rm(path, { force: true })
  }
}
