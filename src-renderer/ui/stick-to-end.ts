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
    let height = element.scrollHeight
    const distance = () => element.scrollHeight - element.clientHeight - element.scrollTop
    const onScroll = () => {
      const down = element.scrollTop > top
      // With another height it is the list that measures its rows, and no person.
      const measured = element.scrollHeight !== height
      top = element.scrollTop
      height = element.scrollHeight
      if (down && distance() <= slack) atEnd = true
      else if (!down && !measured && distance() > slack) atEnd = false
    }
    // The smallest turn upwards counts: a stream would pull back what is still within the slack.
    const onWheel = (event: WheelEvent) => {
      if (event.deltaY < 0) atEnd = false
    }
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowUp' || key === 'PageUp' || key === 'Home') atEnd = false
    }
    // Of the scroll bar; elsewhere a press scrolls nothing.
    const onPress = ({ offsetX, target }: PointerEvent) => {
      if (target === element && offsetX >= element.clientWidth) atEnd = false
    }
    letGo.current = () => {
      atEnd = false
    }
    const observer = new ResizeObserver(() => {
      if (atEnd && distance() > 0) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    if (element.firstElementChild) observer.observe(element.firstElementChild)
    const end = new AbortController()
    const { signal } = end
    element.addEventListener('scroll', onScroll, { passive: true, signal })
    element.addEventListener('wheel', onWheel, { passive: true, signal })
    element.addEventListener('keydown', onKey, { signal })
    element.addEventListener('pointerdown', onPress, { signal })
    return () => {
      observer.disconnect()
      end.abort()
    }
  }, [scroller, stick, slack])
  return useCallback(() => letGo.current(), [])
}
