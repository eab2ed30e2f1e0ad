/**
 * The client's own editor: before the agent touches a file, what is unsaved of it there is saved there, so that the agent, the
 * disk and the person see one text. An editor that only has not seen yet what the disk holds is never saved over it; one that
 * fails or does not answer changes nothing.
 */
import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { AgentContext } from '@agentclientprotocol/sdk'
import { readRegular } from '../../base/atomic-file.ts'

/** Both requests together; the core waits a little longer (own-editors.ts). */
const ANSWER_MS = 1500
/** An editor needs a moment to follow the disk. */
const FOLLOWS_MS = 100
const MOST_BYTES = 10_000_000

export interface OwnEditor {
  /** Around a prompt: what is written from its beginning on may not be in the editor yet. */
  during<T>(prompt: () => Promise<T>): Promise<T>
  /** Never rejects, nor takes longer than the time for an answer. */
  save(sessionId: string, absolute: string): Promise<void>
}

export function createOwnEditor(acp: Pick<AgentContext, 'request'>, answerMs = ANSWER_MS): OwnEditor {
  /** Of the text that it showed when that and the disk were one: as long as it shows this, nothing was typed. */
  const together = new Map<string, string>()
  let prompts = 0
  let begun = 0
  /** It is asked again with the next prompt. */
  let isSilent = false

  /** Null for what was written since the prompt began, and what an editor of text cannot give back byte for byte. */
  const textOnDisk = async (absolute: string): Promise<string | null> => {
    if ((await stat(absolute)).ctimeMs > begun - FOLLOWS_MS) return null
    const bytes = await readRegular(absolute, MOST_BYTES)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  }

  const save = async (sessionId: string, path: string, cancellationSignal: AbortSignal): Promise<void> => {
    const disk = await textOnDisk(path)
    if (disk === null) return
    const bounds = { cancellationSignal, stopWaitingOnCancel: true }
    const { content: shown } = await acp.request('fs/read_text_file', { sessionId, path }, bounds)
    if (plain(shown) === plain(disk)) return void together.set(path, markOf(shown))
    if (together.get(path) === markOf(shown)) return
    // Looked at once more: somebody may have written while it was thinking.
    if ((await textOnDisk(path)) !== disk) return
    // An editor may show every line end as \n; the file keeps its own.
    const content = disk.includes('\r\n') && !shown.includes('\r') ? shown.replaceAll('\n', '\r\n') : shown
    await acp.request('fs/write_text_file', { sessionId, path, content }, bounds)
    together.set(path, markOf(content))
  }

  return {
    async during(prompt) {
      if (prompts === 0) {
        begun = Date.now()
        isSilent = false
      }
      prompts += 1
      try {
        return await prompt()
      } finally {
        prompts -= 1
      }
    },
    async save(sessionId, absolute) {
      if (isSilent) return
      const patience = AbortSignal.timeout(answerMs)
      await save(sessionId, absolute, patience).catch(() => {})
      if (patience.aborted) isSilent = true
    },
  }
}

/** An editor may leave out a mark of the coding, and add or leave out a last line end. */
const plain = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
const markOf = (text: string) => createHash('sha256').update(plain(text)).digest('base64')
