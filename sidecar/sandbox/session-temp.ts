/**
 * A folder of temporary files for each session's commands: their `/tmp`. It goes when its session's last command has ended
 * and the session asks for it, with its workspace, and at the latest when a later Belay finds that its maker is gone.
 */
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProvablyDead, type ProcessStamp, stampOf } from '../base/process-info.ts'

const PREFIX = 'belay-jail-'
const OWNER = 'owner.json'

export interface SessionTemps {
  /** Absolute, existing, of this person alone. `files` is what commands write to; `sockets` is what they only get lent. */
  of(key: string): { readonly files: string; readonly sockets: string }
  end(key: string): Promise<void>
  /** Those of processes that are gone. Never rejects. */
  sweep(): Promise<void>
  dispose(): Promise<void>
}

/** `base`: a test's own; else the system's folder of temporary files. Paths stay short: a socket's may have 100 bytes. */
export function createSessionTemps(base: string = tmpdir()): SessionTemps {
  const made = new Map<string, string>()
  const stamp = stampOf(process.pid)
  const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {})

  const make = (): string => {
    const folder = join(base, PREFIX + randomBytes(5).toString('hex'))
    for (const each of [folder, join(folder, 'tmp'), join(folder, 'net')]) mkdirSync(each, { mode: 0o700 })
    void stamp.then(owner => writeFile(join(folder, OWNER), JSON.stringify(owner))).catch(() => {})
    return folder
  }

  return {
    of(key) {
      const folder = made.get(key) ?? make()
      made.set(key, folder)
      return { files: join(folder, 'tmp'), sockets: join(folder, 'net') }
    },
    async end(key) {
      const folder = made.get(key)
      made.delete(key)
      if (folder) await remove(folder)
    },
    async sweep() {
      for (const name of await readdir(base).catch((): string[] => [])) {
        if (!name.startsWith(PREFIX)) continue
        const owner = await readFile(join(base, name, OWNER), 'utf8').catch(() => '')
        try {
          if (owner !== '' && (await isProvablyDead(JSON.parse(owner) as ProcessStamp))) await remove(join(base, name))
        } catch {
          // Another's file, or a torn one: it is left alone.
        }
      }
    },
    async dispose() {
      await Promise.all([...made.values()].map(remove))
      made.clear()
    },
  }
}
