/** The terminal wrapper: no store, no client. */
export { createXterm, type SearchResult, type Xterm, type XtermLook, type XtermOptions } from './create-xterm.ts'
export { XtermView, type XtermViewProps } from './xterm-view.tsx'
