/** Keeps the end of a scrolled element in view for one who is there: when it grows, and when the element itself becomes smaller. Whoever scrolls up is left alone. */
import { type RefObject, useCallback, useEffect, useRef } from 'react'

/**
 * `slack`: pixels from the end that still count as being there. The element's first child holds its content. What is returned lets
 * go of the end: what comes next is not followed, until the person is there again.
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, stick: boolean, slack: number): () => void {
  const letGo = useRef(() => {})
  useEffect(() => {
    const element = scroller.current
    if (!stick || !element) return
    let atEnd = true
    let top = element.scrollTop
    const distance = () => element.scrollHeight - element.clientHeight - element.scrollTop
    const onScroll = () => {
      const down = element.scrollTop > top
      top = element.scrollTop
      if (down && distance() <= slack) atEnd = true
      else if (!down && distance() > slack) atEnd = false
    }
    // The smallest turn upwards counts: a stream would pull back what is still within the slack.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) atEnd = false
    }
    letGo.current = () => {
      atEnd = false
    }
    const observer = new ResizeObserver(() => {
      if (atEnd && distance() > 0) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    element.addEventListener('scroll', onScroll, { passive: true })
    element.addEventListener('wheel', onWheel, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', onScroll)
      element.removeEventListener('wheel', onWheel)
    }
  }, [scroller, stick, slack])
  return useCallback(() => letGo.current(), [])
}
