/** Tells when a file was written, made or removed, also when its folder comes later. Costs one watch while the folder is missing. */
import { existsSync, type FSWatcher, watch as watchFolder } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { FSWatcher as FileWatcher } from 'chokidar'

/** Several changes within 50 ms are told once. Where watching fails, nothing is told. Returns the function that ends it. */
export function watchFile(absolute: string, changed: () => void): () => void {
  const folder = dirname(absolute)
  let timer: ReturnType<typeof setTimeout> | undefined
  let ended = false
  let end = () => {}
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, 50)
  }
  const inFolder = () => {
    let watcher: FileWatcher | null = null
    let over = false
    end = () => {
      over = true
      void watcher?.close().catch(() => {})
    }
    void import('chokidar').then(({ watch }) => {
      if (!over) watcher = begin(watch)
    })
  }
  const begin = (watch: typeof import('chokidar').watch) => {
    const watcher = watch(folder, { depth: 0, ignoreInitial: true, ignored: at => at !== folder && at !== absolute })
    watcher.on('all', event => {
      soon()
      if (event === 'unlinkDir') restart()
    })
    // What was written while the watch was being set up.
    watcher.on('ready', soon)
    watcher.on('error', () => {})
    return watcher
  }
  const aboveFolder = () => {
    let above: FSWatcher
    try {
      above = watchFolder(dirname(folder), { persistent: false })
    } catch {
      return
    }
    above.on('change', (_, name) => {
      if (name !== null && String(name) !== basename(folder)) return
      if (!existsSync(folder)) return
      restart()
      soon()
    })
    above.on('error', () => {})
    end = () => above.close()
    if (existsSync(folder)) restart()
  }
  const start = () => (existsSync(folder) ? inFolder() : aboveFolder())
  const restart = () => {
    if (ended) return
    end()
    start()
  }
  start()
  return () => {
    ended = true
    clearTimeout(timer)
    end()
  }
}
