/** A running core in the eyes of others: who it is, where it listens, whether it lives. The lock is held for life. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { BelayError, toFault } from '#contract/error'
import { readRemade, writeFileAtomic } from '../base/atomic-file.ts'
import { newId } from '../base/id.ts'
import { acquireLock } from '../base/lock-file.ts'
import { makeFolder } from '../base/make-folder.ts'
import { isProvablyDead, type ProcessStamp, stampOf } from '../base/process-info.ts'
import { createSerial } from '../base/serial.ts'

const Door = z.object({ path: z.string(), token: z.string() })

/** Mode 0600: the tokens open doors. */
const InstanceRecord = z.object({
  pid: z.number().int().positive(),
  startedAt: z.string().nullable(),
  bootId: z.string(),
  id: z.string(),
  kind: z.enum(['desktop', 'web', 'run', 'stream', 'acp', 'terminal']),
  /** ISO time. */
  since: z.string(),
  version: z.string(),
  /** The sidecar's door for other tools on this machine (attach); null while there is none. */
  sidecar: Door.nullable(),
  /** The supervisor's own door: a second start knocks here. */
  control: Door.nullable(),
}) satisfies z.ZodType<ProcessStamp>
export type InstanceRecord = Readonly<z.infer<typeof InstanceRecord>>

export type InstanceKind = InstanceRecord['kind']

export interface Instance {
  readonly id: string
  readonly record: InstanceRecord
  update(change: Partial<Pick<InstanceRecord, 'sidecar' | 'control'>>): Promise<void>
  /** Removes all traces; only after the children have ended. Never rejects. */
  close(): Promise<void>
}

export const instancesFolder = (stateDir: string): string => join(stateDir, 'instances')
export const instanceLock = (stateDir: string, id: string): string => join(instancesFolder(stateDir), `${id}.lock`)

/** Throws in words for the person when the state folder cannot be written; nothing was started then. */
export async function openInstance(options: {
  stateDir: string
  kind: InstanceKind
  version: string
}): Promise<Instance> {
  return open(options).catch(fault => {
    throw inWordsOf(fault, options.stateDir)
  })
}

/** What keeps a profile from being used, said so that a person can do something about it. */
export function inWordsOf(fault: unknown, folder: string): BelayError {
  if (fault instanceof BelayError) return fault
  const { code, message } = toFault(fault)
  return new BelayError(
    code,
    `Belay cannot write to ${folder} (${message}). Nothing was started; mend its rights, free some space, or set BELAY_HOME to a folder of yours.`,
    { cause: fault },
  )
}

async function open(options: { stateDir: string; kind: InstanceKind; version: string }): Promise<Instance> {
  const id = newId('ins')
  const folder = instancesFolder(options.stateDir)
  makeFolder(folder)
  const lock = await acquireLock(instanceLock(options.stateDir, id), { instanceId: id, what: `belay ${options.kind}` })
  if ('heldBy' in lock) throw new Error(`The new instance ${id} is held already.`)
  const serial = createSerial()
  let record: InstanceRecord = {
    ...(await stampOf(process.pid)),
    id,
    kind: options.kind,
    since: new Date().toISOString(),
    version: options.version,
    sidecar: null,
    control: null,
  }
  const file = join(folder, `${id}.json`)
  const write = () => serial(() => writeFileAtomic(file, `${JSON.stringify(record, null, 2)}\n`))
  await write()
  return {
    id,
    get record() {
      return record
    },
    update(change) {
      record = { ...record, ...change }
      return write()
    },
    async close() {
      await serial.idle()
      await removeTraces(options.stateDir, id)
      await lock.release()
    },
  }
}

/** Those that are not provably dead, the newest first. */
export async function livingInstances(stateDir: string): Promise<InstanceRecord[]> {
  const records = await Promise.all((await instanceIds(stateDir)).map(id => readInstance(stateDir, id)))
  const alive = await Promise.all(records.map(async each => (each && !(await isProvablyDead(each)) ? [each] : [])))
  return alive.flat().sort((a, b) => b.since.localeCompare(a.since))
}

export async function readInstance(stateDir: string, id: string): Promise<InstanceRecord | null> {
  return readRemade(join(instancesFolder(stateDir), `${id}.json`), value => InstanceRecord.parse(value), null)
}

/** Of every instance that left any file behind. */
export async function instanceIds(stateDir: string): Promise<string[]> {
  const names = await readdir(instancesFolder(stateDir)).catch(() => [])
  return [...new Set(names.flatMap(name => /^(ins_[0-9a-z]+)\./.exec(name)?.[1] ?? []))]
}

/** All but the lock. */
export async function removeTraces(stateDir: string, id: string): Promise<void> {
  const folder = instancesFolder(stateDir)
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith(`${id}.`) && !name.startsWith(`${id}.lock`)) {
      await rm(join(folder, name), { force: true }).catch(() => {})
    }
  }
}
