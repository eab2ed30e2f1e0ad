/** Tells which sessions' list files changed, so that those of another core appear. One folder, one level, one watch. */
import { mkdir } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SessionId } from '#contract/id'
import { sessionOfListFile } from './catalog.ts'

/** Resolves to the function that ends it, also where the folder cannot be watched (then nothing is told). */
export async function watchList(folder: string, changed: (sessionId: SessionId) => void): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {})
  const { watch } = await import('chokidar')
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    persistent: false,
    ignored: (path, stats) => stats?.isFile() === true && sessionOfListFile(basename(path)) === null,
  })
  const tell = (path: string): void => {
    const sessionId = sessionOfListFile(basename(path))
    if (sessionId) changed(sessionId)
  }
  watcher
    .on('add', tell)
    .on('change', tell)
    .on('unlink', tell)
    .on('error', () => {})
  await new Promise<void>(resolve => watcher.once('ready', () => resolve()))
  return () => watcher.close()
}
