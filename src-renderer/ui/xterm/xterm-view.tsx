/** Shows a terminal's element where it stands, and lets the terminal follow its size. */
import { useEffect, useRef } from 'react'
import { cx } from '../cx.ts'
import type { Xterm } from './create-xterm.ts'

export interface XtermViewProps {
  readonly xterm: Xterm
  readonly label: string
  readonly className?: string
  /** After the terminal took another size, and after the first. */
  readonly onFit: (cols: number, rows: number) => void
}

/** A dragged line sends a size for every pixel: the program hears of the last. */
const SETTLE_MS = 60

export function XtermView({ xterm, label, className, onFit }: XtermViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const told = useRef(onFit)
  told.current = onFit
  useEffect(() => {
    const host = place.current
    if (!host) return
    host.append(xterm.element)
    let timer: ReturnType<typeof setTimeout> | undefined
    const settle = () => {
      if (xterm.resize()) told.current(xterm.terminal.cols, xterm.terminal.rows)
    }
    settle()
    void xterm.fontsReady.then(settle)
    const observer = new ResizeObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLE_MS)
    })
    observer.observe(host)
    return () => {
      observer.disconnect()
      clearTimeout(timer)
      if (xterm.element.parentElement === host) xterm.element.remove()
    }
  }, [xterm])
  return <section ref={place} className={cx('xterm-place', className)} aria-label={label} />
}
