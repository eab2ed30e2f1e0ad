/**
 * A lock that says who holds it. Promise: at most one live holder, however many try at once; a holder that is provably dead
 * is succeeded, one that might live never is.
 *
 * A record comes into being whole (written aside, then linked). Whoever finds a dead owner claims `<file>.<token>.next`,
 * which only one can, looks again, and replaces the record. A claim of somebody who died in between is succeeded the same way.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { readRegular } from './atomic-file.ts'
import { isProvablyDead, type ProcessStamp, stampOf } from './process-info.ts'
import { setAside } from './set-aside.ts'

export interface LockOwner extends ProcessStamp {
  readonly instanceId: string
  /** For people: "belay web", "belay run". */
  readonly what: string
  /** ISO time. */
  readonly since: string
  readonly token: string
}

export interface Lock {
  /** Removes the lock if it is still ours. Safe to call twice; never rejects. */
  release(): Promise<void>
}

/** A record that cannot be read counts as held for this long (its writer may be at work), then as abandoned. */
const UNREADABLE_MS = 5000
const MOST_BYTES = 1_000_000

/** Creates missing folders. Throws only what the file system throws (no permission, disk full). */
export async function acquireLock(
  file: string,
  owner: { instanceId: string; what: string },
): Promise<Lock | { heldBy: LockOwner }> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const token = randomBytes(12).toString('hex')
  const mine: LockOwner = { ...(await stampOf(process.pid)), ...owner, since: new Date().toISOString(), token }
  const draft = `${file}.${token}.tmp`
  await writeWhole(draft, JSON.stringify(mine))
  try {
    for (let tries = 0; ; tries++) {
      const outcome = await attempt(file, draft, mine)
      if (outcome === 'again') {
        await after(Math.min(tries, 20))
        continue
      }
      return outcome ?? { release: () => release(file, token) }
    }
  } finally {
    await rm(draft, { force: true })
  }
}

const RETRY_MS = 20

/** The same, tried for `patienceMs`. */
export async function awaitLock(
  file: string,
  owner: { instanceId: string; what: string },
  patienceMs: number,
): Promise<Lock | { heldBy: LockOwner }> {
  for (const deadline = Date.now() + patienceMs; ; await after(RETRY_MS)) {
    const lock = await acquireLock(file, owner)
    if ('release' in lock || Date.now() > deadline) return lock
  }
}

/** Who holds it, dead or alive; null: nobody. */
export async function readLock(file: string): Promise<LockOwner | null> {
  return (await read(file))?.owner ?? null
}

/** Null: ours. 'again': it changed under our hands. */
async function attempt(file: string, draft: string, mine: LockOwner): Promise<{ heldBy: LockOwner } | 'again' | null> {
  if (await linkNew(draft, file)) return null
  let current = await read(file)
  if (!current) return 'again'
  const first = current.owner
  // Along the claims to the last successor: that one holds the lock, or nobody does.
  for (;;) {
    if (!current.dead) return { heldBy: current.owner }
    const claim = `${file}.${current.owner.token}.next`
    if (await linkNew(draft, claim)) {
      if ((await read(file))?.owner.token !== first.token) {
        await rm(claim, { force: true })
        return 'again'
      }
      await succeed(file, mine)
      return null
    }
    current = await read(claim)
    if (!current) return 'again'
  }
}

/** Only the last claimant comes here: nobody else may write the record. Claims on owners that are no more are litter. */
async function succeed(file: string, mine: LockOwner): Promise<void> {
  const beside = `${file}.${mine.token}.new`
  await writeWhole(beside, JSON.stringify(mine))
  await rename(beside, file)
  const prefix = `${basename(file)}.`
  for (const name of await readdir(dirname(file))) {
    if (name.startsWith(prefix) && name.endsWith('.next') && !name.includes(mine.token)) {
      await rm(join(dirname(file), name), { force: true })
    }
  }
}

async function release(file: string, token: string): Promise<void> {
  const current = await read(file).catch(() => null)
  if (current?.owner.token === token) await rm(file, { force: true }).catch(() => {})
}

async function read(file: string): Promise<{ owner: LockOwner; dead: boolean } | null> {
  let text: string
  try {
    text = (await readRegular(file, MOST_BYTES)).toString('utf8')
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT') return null
    // A folder, a pipe or a ring of links: nobody holds that.
    if (code !== 'EISDIR' && code !== 'ELOOP') throw fault
    await setAside(file)
    return null
  }
  const owner = parse(text)
  if (owner) return { owner, dead: await isProvablyDead(owner) }
  const facts = await stat(file).catch(() => null)
  if (!facts) return null
  const unreadable = { pid: 0, startedAt: null, bootId: '', instanceId: '', what: 'an unreadable lock' }
  return {
    owner: { ...unreadable, since: facts.mtime.toISOString(), token: `x${facts.ino}-${Math.trunc(facts.mtimeMs)}` },
    dead: Date.now() - facts.mtimeMs > UNREADABLE_MS,
  }
}

function parse(text: string): LockOwner | null {
  try {
    const value = JSON.parse(text) as Partial<LockOwner>
    const whole = typeof value.pid === 'number' && typeof value.bootId === 'string' && typeof value.what === 'string'
    return whole && /^[0-9a-f]{24}$/.test(value.token ?? '') ? (value as LockOwner) : null
  } catch {
    return null
  }
}

/** False: there is one already. Where links are not supported (FAT, some network mounts) an exclusive write must do. */
async function linkNew(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file)
    return true
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'EEXIST') return false
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EOPNOTSUPP') throw fault
  }
  try {
    await writeWhole(file, await readFile(draft))
    return true
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw fault
  }
}

async function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
