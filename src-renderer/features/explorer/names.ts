/** Names: which may be given, which is free, and how an odd one is shown. Pure. */
import { baseName } from '#contract/path'

export type NameFault = 'empty' | 'dots' | 'control' | 'long' | 'taken' | 'slash'

/** `a/b/c` makes folders on the way where `nested` is allowed. Null: it may be given. */
export function nameFault(typed: string, taken: (name: string) => boolean, nested: boolean): NameFault | null {
  const parts = typed.split('/')
  if (!nested && parts.length > 1) return 'slash'
  for (const part of parts) {
    if (part.trim() === '') return 'empty'
    if (part === '.' || part === '..') return 'dots'
    if (/[\u0000-\u001f\u007f]/.test(part)) return 'control'
    if (new TextEncoder().encode(part).length > 255) return 'long'
  }
  return parts.length === 1 && taken(typed) ? 'taken' : null
}

/** `a.txt` -> `a copy.txt`, `a copy 2.txt` ...: the first that is free. */
export function freeName(name: string, taken: (name: string) => boolean): string {
  if (!taken(name)) return name
  const dot = name.lastIndexOf('.')
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 1; ; count++) {
    const wanted = `${stem} copy${count === 1 ? '' : ` ${count}`}${end}`
    if (!taken(wanted)) return wanted
  }
}

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Line breaks and characters that hide or turn text become visible. */
export const shownName = (name: string): string =>
  name.replace(
    /[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    character => escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** What is selected when a name is edited: all but the extension. */
export function stemLength(path: string): number {
  const name = baseName(path)
  const dot = name.lastIndexOf('.')
  return dot > 0 ? dot : name.length
}
