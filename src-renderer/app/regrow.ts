/**
 * A small window makes its panes smaller than their person made them. As it grows they get that size back, one after the other,
 * as far as the middle has room to spare.
 */
import { type RefObject, useEffect } from 'react'
import type { PanelImperativeHandle } from 'react-resizable-panels'

export interface Regrowing {
  readonly shown: boolean
  /** What the person gave it, in pixels. */
  readonly size: number
  /** Pixels that what lies beside it can give away now. */
  readonly spare: () => number
}

const panes = new Set<() => void>()

export function useRegrow(panel: RefObject<PanelImperativeHandle | null>, { shown, size, spare }: Regrowing): void {
  useEffect(() => {
    if (!shown) return
    const grow = () => {
      const now = panel.current?.getSize().inPixels ?? 0
      const next = Math.min(size, now + spare())
      if (now > 0 && next - now >= 1) panel.current?.resize(next)
    }
    panes.add(grow)
    return () => void panes.delete(grow)
  }, [panel, shown, size, spare])
}

/** For the life of the page. */
export function followWindowSize(): void {
  let growing = false
  let again = false
  const growAll = async () => {
    again = true
    if (growing) return
    growing = true
    while (again) {
      again = false
      // The panes are laid out anew for the new size first; each then sees what the one before it has left.
      await frame()
      for (const grow of panes) {
        await frame()
        grow()
      }
    }
    growing = false
  }
  window.addEventListener('resize', () => void growAll())
}

const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
