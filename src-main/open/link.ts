/**
 * Links `belay://open?path=…&line=…&column=…` and `belay://session?id=…`: they show something, and can do nothing else.
 * Pure. What is not exactly of this form is refused, for a link is written by whoever wants a click.
 */
import { SessionId } from '#contract/id'

export const LINK_SCHEME = 'belay'

export type Link =
  | { readonly kind: 'open'; readonly path: string; readonly line: number | null; readonly column: number | null }
  | { readonly kind: 'session'; readonly sessionId: SessionId }

/** `verb`: it asks for something that links cannot do. `part`: it has more parts, or other ones, than it may. */
export type Refusal = 'long' | 'form' | 'verb' | 'part' | 'path' | 'session'
export type ReadLink = { readonly ok: true; readonly link: Link } | { readonly ok: false; readonly reason: Refusal }

const MAX_LINK_CHARS = 8192
const MAX_PATH_CHARS = 4096

/** Whether a text is meant as a link of ours, well formed or not. */
export const isLink = (text: string): boolean => /^belay:/i.test(text)

export function readLink(text: string, platform: NodeJS.Platform = process.platform): ReadLink {
  if (text.length > MAX_LINK_CHARS) return refused('long')
  // Written out rather than parsed as a URL: that would mend, fold and decode before anybody looks.
  const form = /^belay:\/\/([^/?#]*)\/?(?:\?([\x21-\x7e]*))?$/i.exec(text)
  if (!form) return refused('form')
  const verb = (form[1] ?? '').toLowerCase()
  const allowed = verbs[verb]
  if (!allowed) return refused('verb')
  const parts = partsOf(form[2] ?? '', allowed)
  if (parts === null) return refused('part')
  return verb === 'open' ? openLink(parts, platform) : sessionLink(parts)
}

const verbs: Readonly<Record<string, readonly string[] | undefined>> = Object.assign(Object.create(null), {
  open: ['path', 'line', 'column'],
  session: ['id'],
})
const refused = (reason: Refusal): ReadLink => ({ ok: false, reason })

/** Null where one is unknown, comes twice or is not well encoded. `+` is itself. */
function partsOf(query: string, allowed: readonly string[]): ReadonlyMap<string, string> | null {
  const parts = new Map<string, string>()
  for (const piece of query.split('&')) {
    const at = piece.indexOf('=')
    const name = piece.slice(0, at)
    if (at < 0 || !allowed.includes(name) || parts.has(name) || piece.includes('#')) return null
    try {
      parts.set(name, decodeURIComponent(piece.slice(at + 1)))
    } catch {
      return null
    }
  }
  return parts
}

function openLink(parts: ReadonlyMap<string, string>, platform: NodeJS.Platform): ReadLink {
  const path = parts.get('path') ?? ''
  if (!isPlainPath(path, platform)) return refused('path')
  const line = numberOf(parts.get('line'))
  const column = numberOf(parts.get('column'))
  if (line === 'bad' || column === 'bad' || (column !== null && line === null)) return refused('part')
  return { ok: true, link: { kind: 'open', path, line, column } }
}

function sessionLink(parts: ReadonlyMap<string, string>): ReadLink {
  const id = SessionId.safeParse(parts.get('id'))
  return id.success ? { ok: true, link: { kind: 'session', sessionId: id.data } } : refused('session')
}

function numberOf(text: string | undefined): number | null | 'bad' {
  if (text === undefined) return null
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 'bad'
}

/** Control characters, and those that hide or reorder text: a path is shown before it is opened. */
const unseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/u
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\..*)?$/i

/** A full path on a disk of this machine, spelt out: no `..`, no share of another machine, no device, no stream. */
function isPlainPath(path: string, platform: NodeJS.Platform): boolean {
  if (path.length > MAX_PATH_CHARS || unseen.test(path)) return false
  if (platform !== 'win32') {
    return path.startsWith('/') && !path.startsWith('//') && !path.split('/').some(isDots)
  }
  if (!/^[a-z]:[\\/](?![\\/])/i.test(path) || /[<>:"|?*]/.test(path.slice(2))) return false
  return !path
    .slice(3)
    .split(/[\\/]/)
    .some(name => isDots(name) || /[. ]$/.test(name) || windowsDevice.test(name))
}

const isDots = (name: string) => name === '.' || name === '..'
