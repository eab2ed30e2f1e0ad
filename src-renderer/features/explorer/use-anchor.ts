/** What a person looks at stays where it is when rows come and go above it. At the very top, new rows are shown. */
import type { Virtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'
import type { WirePath } from '#contract/path'
import type { Rows } from './explorer-rows.ts'

/** Call before rows are drawn: the ones around the new place are drawn at once. `above`: pixels above the first row. */
export function useAnchor(
  virtual: Virtualizer<HTMLDivElement, Element>,
  rows: Rows,
  { rowPx, above, held: isHeld }: { rowPx: number; above: number; held: boolean },
): void {
  const held = useRef<{ rows: Rows; path: WirePath; offset: number } | null>(null)
  const scroller = virtual.scrollElement
  const now = scroller?.scrollTop ?? 0
  let wanted = now
  if (isHeld && held.current && held.current.rows !== rows && now > rowPx) {
    const at = rows.indexOf(held.current.path)
    if (at >= 0) wanted = above + at * rowPx + held.current.offset
  }
  if (wanted !== now) virtual.scrollOffset = wanted

  useLayoutEffect(() => {
    if (!scroller) return
    if (isHeld && wanted !== scroller.scrollTop && held.current?.rows !== rows) scroller.scrollTop = wanted
    const hold = () => {
      const top = scroller.scrollTop
      const first = Math.max(0, Math.ceil((top - above) / rowPx))
      // A note has no path of its own: the first row that has one is held.
      for (let at = first; at < first + 4; at++) {
        const row = rows.at(at)
        if (row?.kind !== 'entry' && row?.kind !== 'root') continue
        held.current = { rows, path: row.path, offset: top - above - at * rowPx }
        return
      }
      held.current = null
    }
    hold()
    scroller.addEventListener('scroll', hold, { passive: true })
    return () => scroller.removeEventListener('scroll', hold)
  }, [rows, scroller, wanted, above, rowPx, isHeld])
}
