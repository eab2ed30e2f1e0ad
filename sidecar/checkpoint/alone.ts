/** One at a time over all processes that share a store: in this one by order, beside others by a lock that is kept a moment. */
import { BelayError } from '#contract/error'
import { awaitLock, type Lock } from '../base/lock-file.ts'
import { createSerial } from '../base/serial.ts'

export interface Alone {
  /** Throws `busy` where another process does not let go. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** Once nothing waits: `work`, and the lock is let go. */
  end(work: () => Promise<void>): Promise<void>
}

/** For whoever comes next: a lock costs more than a look. */
const HELD_MS = 300
const PATIENCE_MS = 20_000

export function createAlone(file: string, instanceId: string): Alone {
  const serial = createSerial()
  let lock: Lock | null = null
  let letGo: NodeJS.Timeout | undefined

  const hold = async () => {
    clearTimeout(letGo)
    if (lock) return
    const got = await awaitLock(file, { instanceId, what: 'a checkpoint' }, PATIENCE_MS)
    if ('heldBy' in got)
      throw new BelayError('busy', `Another Belay (process ${got.heldBy.pid}) looks at this folder and does not end.`)
    lock = got
  }
  const release = async () => {
    clearTimeout(letGo)
    const mine = lock
    lock = null
    await mine?.release()
  }
  return {
    run: work =>
      serial(async () => {
        await hold()
        try {
          return await work()
        } finally {
          letGo = setTimeout(() => void serial(release), HELD_MS)
          letGo.unref()
        }
      }),
    end: work =>
      serial(async () => {
        await hold()
        try {
          await work()
        } finally {
          await release()
        }
      }),
  }
}
