/** Markdown, whose machinery loads after the first paint: until then the text stands as it was written. */
import { type ComponentType, useEffect, useSyncExternalStore } from 'react'
import type { MarkdownProps } from './markdown-view.tsx'

export type { MarkdownProps } from './markdown-view.tsx'

let View: ComponentType<MarkdownProps> | null = null
let loading: Promise<void> | null = null
const waiting = new Set<() => void>()

/** Starts loading; call it when the window is idle so that the first message does not change its look. */
export function preloadMarkdown(): Promise<void> {
  loading ??= import('./markdown-view.tsx').then(loaded => {
    View = loaded.MarkdownView
    for (const tell of waiting) tell()
  })
  return loading
}

const subscribe = (tell: () => void) => {
  waiting.add(tell)
  return () => void waiting.delete(tell)
}

export function Markdown(props: MarkdownProps) {
  const Loaded = useSyncExternalStore(subscribe, () => View)
  useEffect(() => {
    void preloadMarkdown()
  }, [])
  if (Loaded) return <Loaded {...props} />
  return <div style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{props.text}</div>
}
