/** Pasted, dropped and chosen files become parts of the prompt; what is too large is said, not cut. */

import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'
import { MAX_PASTE_BYTES, type PastedBytes, pasted } from './draft.ts'

export async function attachFiles(files: readonly File[]): Promise<void> {
  const parts = await partsOf(files, new Set(pasted.getState().files.map(each => each.name)))
  pasted.setState(({ files: all }) => ({ files: [...all, ...parts] }))
}

/** `taken`: names that others have already. */
export async function partsOf(files: readonly File[], taken: ReadonlySet<string>): Promise<PastedBytes[]> {
  const parts: PastedBytes[] = []
  for (const file of files) {
    if (file.size > MAX_PASTE_BYTES) {
      toast.error(t('chat.tooLarge', { name: file.name, limit: formatBytes(MAX_PASTE_BYTES) }))
      continue
    }
    const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
    const mediaType = file.type || 'application/octet-stream'
    const name = freeName(file.name || 'pasted', new Set([...taken, ...parts.map(part => part.name)]))
    parts.push({ kind: 'bytes', name, mediaType, base64 })
  }
  return parts
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 2; ; count++) if (!taken.has(`${stem}-${count}${ending}`)) return `${stem}-${count}${ending}`
}

/** In pieces: a call with a million arguments overflows the stack. */
function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(binary)
}
