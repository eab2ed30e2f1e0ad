/** The text of a field whose value is saved elsewhere: it follows what is saved, and never writes over what a person goes on to write. */
import { useLayoutEffect, useRef, useState } from 'react'

export function useSavedText(saved: string) {
  const [text, setText] = useState(saved)
  const agreed = useRef(saved)
  const sent = useRef<string | null>(null)
  useLayoutEffect(() => {
    const [before, asWritten] = [agreed.current, sent.current]
    agreed.current = saved
    sent.current = null
    setText(now => (now === before || now === asWritten ? saved : now))
  }, [saved])
  /** Told when the text goes to be saved: it may come back in another form. */
  const sends = () => {
    sent.current = text
  }
  return { text, setText, sends }
}
