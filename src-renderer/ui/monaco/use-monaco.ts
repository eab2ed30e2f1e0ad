/** Monaco in a component: null until it is there; a failure to load it is thrown to the pane's fence. */
import { useEffect, useState } from 'react'
import { loadMonaco, monacoNow } from './load.ts'
import type { Monaco } from './monaco-api.ts'

export function useMonaco(): Monaco | null {
  const [monaco, setMonaco] = useState<Monaco | null>(monacoNow)
  const [fault, setFault] = useState<unknown>(null)
  useEffect(() => {
    if (monaco) return
    let gone = false
    loadMonaco().then(
      loaded => !gone && setMonaco(loaded),
      thrown => !gone && setFault(thrown),
    )
    return () => {
      gone = true
    }
  }, [monaco])
  if (fault) throw fault
  return monaco
}
