/**
 * What is remembered of windows, by the folder they showed: bounds, mode, zoom, and which were open at last. One bounded
 * file, written whole a moment after each change. A broken one is kept aside and costs the usual size, nothing else.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writeFileAtomic } from '../../sidecar/base/atomic-file.ts'
import type { Log } from '../../sidecar/base/log.ts'
import { createSerial } from '../../sidecar/base/serial.ts'

const number = z.number().min(-1e6).max(1e6)
const WindowState = z.object({
  /** Absolute, as the core names it; null for a window without one. */
  folder: z.string().max(8192).nullable(),
  /** Of the window while it is neither maximized nor full screen. */
  bounds: z.object({ x: number, y: number, width: number, height: number }),
  mode: z.enum(['normal', 'maximized', 'fullscreen']),
  /** Percent; null: the setting. */
  zoom: z.number().min(50).max(200).nullable(),
})
export type WindowState = z.infer<typeof WindowState>

const File = z.object({
  /** The one used last comes first. */
  open: z.array(z.unknown()).max(1000),
  closed: z.array(z.unknown()).max(1000),
})

export interface WindowStates {
  /** Those that were open when the last run ended, the one used last first. */
  readonly lastOpen: readonly WindowState[]
  /** What is known of a folder's window; null also for the window without a folder. */
  of(folder: string): WindowState | null
  /** All windows there are now, the one used last first. Written a moment later. */
  keep(open: readonly WindowState[]): void
  /** Writes what is not written yet. Never rejects: where nothing can be written, windows come back as they were before. */
  flush(): Promise<void>
}

const SAVE_PAUSE_MS = 500
const MOST = 100

/** Never rejects. */
export async function openWindowStates(stateDir: string, log: Log): Promise<WindowStates> {
  const file = join(stateDir, 'desktop', 'windows.json')
  const { open: lastOpen, closed } = await read(file, log)
  const serial = createSerial()
  let known: WindowState[] = [...lastOpen, ...closed]
  let open: readonly WindowState[] = lastOpen
  let timer: NodeJS.Timeout | undefined
  const save = () => {
    clearTimeout(timer)
    timer = undefined
    const others = known.filter(each => !open.includes(each))
    const text = JSON.stringify({ open, closed: others })
    void serial(() => writeFileAtomic(file, text)).catch(fault =>
      log('warn', 'the state of windows was not written', { fault: `${fault}` }),
    )
  }
  return {
    lastOpen,
    of: folder => known.find(each => each.folder === folder) ?? null,
    keep(now) {
      open = now
      const folders = new Set(now.map(({ folder }) => folder))
      known = [...now, ...known.filter(({ folder }) => folder !== null && !folders.has(folder))].slice(0, MOST)
      timer ??= setTimeout(save, SAVE_PAUSE_MS)
    },
    async flush() {
      if (timer) save()
      await serial.idle()
    },
  }
}

async function read(file: string, log: Log): Promise<{ open: WindowState[]; closed: WindowState[] }> {
  const { open, closed } = await readJson(file, value => File.parse(value), { open: [], closed: [] }).catch(fault => {
    log('warn', 'the state of windows was not read', { fault: `${fault}` })
    return { open: [], closed: [] }
  })
  return { open: sound(open), closed: sound(closed).filter(({ folder }) => folder !== null) }
}

/** One entry that is wrong costs that window. */
const sound = (entries: readonly unknown[]): WindowState[] =>
  entries.slice(0, MOST).flatMap(entry => WindowState.safeParse(entry).data ?? [])
