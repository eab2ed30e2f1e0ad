/** Tells when something in a small folder changed, also when it or the folders above it come later. */
import { existsSync, type FSWatcher, watch as watchOne } from 'node:fs'
import { dirname } from 'node:path'
import type { FSWatcher as TreeWatcher } from 'chokidar'

const SETTLE_MS = 50

/**
 * Several changes within 50 ms are told once, some that changed nothing too. `depth`: levels of files, 1 for the folder's own.
 * Where watching fails, nothing is told. Returns the function that ends it.
 */
export function watchFolder(folder: string, depth: number, changed: () => void): () => void {
  let ended = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let watched: string | null = null
  let stop = () => {}
  const soon = () => {
    clearTimeout(timer)
    if (!ended) timer = setTimeout(changed, SETTLE_MS)
  }

  const look = () => {
    const at = nearestFolder(folder)
    if (ended || at === watched) return
    stop()
    if (watched !== null) soon()
    watched = at
    stop = at === folder ? watchTree(folder, depth, soon, look) : watchAbove(at, look)
    // It may have come between looking and watching.
    if (nearestFolder(folder) !== at) look()
  }
  look()
  return () => {
    ended = true
    clearTimeout(timer)
    stop()
  }
}

/** The folder itself, or the nearest one above it that is there. */
function nearestFolder(folder: string): string {
  let at = folder
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at)
  return at
}

function watchTree(folder: string, depth: number, soon: () => void, look: () => void): () => void {
  let watcher: TreeWatcher | null = null
  let over = false
  void import('chokidar').then(({ watch }) => {
    if (over) return
    watcher = watch(folder, { depth: depth - 1, ignoreInitial: true, persistent: false, followSymlinks: false })
    watcher.on('all', () => {
      soon()
      look()
    })
    // What came while the watch was being set up.
    watcher.on('ready', soon)
    watcher.on('error', () => {})
  })
  return () => {
    over = true
    void watcher?.close().catch(() => {})
  }
}

function watchAbove(at: string, look: () => void): () => void {
  let watcher: FSWatcher
  try {
    watcher = watchOne(at, { persistent: false })
  } catch {
    return () => {}
  }
  watcher.on('change', look)
  watcher.on('error', () => {})
  return () => watcher.close()
}
