/**
 * Where a local socket may stand: a folder that is this person's alone, or a named pipe.
 * Promise: never in a folder of someone else's.
 */
import { createHash } from 'node:crypto'
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { BelayError } from '#contract/error'

/** macOS takes 103 bytes, Linux 107. */
const MAX_SOCKET_PATH_BYTES = 100

/** The same arguments give the same path. Nothing is created. */
export function localSocketPath(
  stateDir: string,
  instanceId: string,
  child: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const short = createHash('sha256').update(`${stateDir}\0${instanceId}\0${child}`).digest('hex').slice(0, 24)
  if (platform === 'win32') return `\\\\.\\pipe\\belay-${short}`
  const folder = `belay-${process.getuid?.() ?? 'user'}`
  const candidates = [
    join(stateDir, 'sockets', `${instanceId}-${child}.sock`),
    join(tmpdir(), folder, `${short}.sock`),
    join('/tmp', folder, `${short}.sock`),
  ]
  const fitting = candidates.find(path => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES)
  return fitting ?? join('/tmp', folder, `${short}.sock`)
}

/** Makes the socket's folder and sees that nobody else can enter it. Throws `no_permission` where somebody could. */
export async function ensurePrivateFolder(socketPath: string): Promise<void> {
  if (isPipe(socketPath)) return
  const folder = dirname(socketPath)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const stat = await lstat(folder)
  const uid = process.getuid?.()
  if (!stat.isDirectory() || (uid !== undefined && stat.uid !== uid)) {
    throw new BelayError(
      'no_permission',
      `${folder} belongs to someone else, so Belay keeps no socket there. Remove it, or set BELAY_HOME to a folder of your own.`,
    )
  }
  if ((stat.mode & 0o777) !== 0o700) await chmod(folder, 0o700)
}

export const isPipe = (path: string): boolean => path.startsWith('\\\\.\\pipe\\')
