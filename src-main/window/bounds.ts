/** Where the window was: remembered across starts, and never somewhere that no screen shows any more. */
import { join } from 'node:path'
import { type BrowserWindow, type Rectangle, screen } from 'electron'
import { readJson, writeFileAtomic } from '../../sidecar/base/atomic-file.ts'

export interface Bounds extends Rectangle {
  readonly maximized: boolean
}

const usual = { width: 1440, height: 900 }
const SAVE_PAUSE_MS = 500
const fileOf = (stateDir: string) => join(stateDir, 'desktop', 'window.json')

export async function rememberedBounds(stateDir: string): Promise<Partial<Bounds>> {
  const known = await readJson(fileOf(stateDir), parse, null).catch(() => null)
  return known && isVisible(known) ? known : usual
}

/** The window that was moved last is the one remembered. */
export function rememberBounds(window: BrowserWindow, stateDir: string): void {
  let timer: NodeJS.Timeout | undefined
  const save = () => {
    clearTimeout(timer)
    if (window.isDestroyed()) return
    const bounds: Bounds = { ...window.getNormalBounds(), maximized: window.isMaximized() }
    void writeFileAtomic(fileOf(stateDir), JSON.stringify(bounds)).catch(() => {})
  }
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(save, SAVE_PAUSE_MS)
  }
  window.on('resize', soon)
  window.on('move', soon)
  window.on('close', save)
}

function parse(value: unknown): Bounds | null {
  const { x, y, width, height, maximized } = value as Record<string, unknown>
  const numbers = [x, y, width, height]
  if (!numbers.every(each => typeof each === 'number' && Number.isFinite(each))) return null
  return { x, y, width, height, maximized: maximized === true } as Bounds
}

/** Enough of it to get hold of. */
const isVisible = ({ x, y, width, height }: Bounds) =>
  width >= 400 &&
  height >= 300 &&
  screen.getAllDisplays().some(({ workArea: area }) => {
    const across = Math.min(x + width, area.x + area.width) - Math.max(x, area.x)
    const down = Math.min(y + height, area.y + area.height) - Math.max(y, area.y)
    return across >= 100 && down >= 100
  })
