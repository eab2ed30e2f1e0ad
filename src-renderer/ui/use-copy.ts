/** A text onto the clipboard; for a moment it is known that it is there. */
import { useEffect, useState } from 'react'

const SAID_MS = 1500

export function useCopy(text: string): readonly [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  return [copied, () => void navigator.clipboard.writeText(text).then(() => setCopied(true))]
}
