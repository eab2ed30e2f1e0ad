/**
 * The client's own editor: before the agent touches a file, what is unsaved of it there is saved there, so that the agent, the
 * disk and the person see one text. Only where the client offers both to read and to write; a failing client changes nothing.
 */
import { readFile } from 'node:fs/promises'
import type { AgentContext } from '@agentclientprotocol/sdk'

/** Whether anything was saved. Never rejects. */
export async function saveInEditor(acp: AgentContext, sessionId: string, absolute: string): Promise<boolean> {
  try {
    const disk = await textOnDisk(absolute)
    if (disk === null) return false
    const { content: shown } = await acp.request('fs/read_text_file', { sessionId, path: absolute })
    if (plain(shown) === plain(disk)) return false
    // An editor may show every line end as \n; the file keeps its own.
    const content = disk.includes('\r\n') && !shown.includes('\r') ? shown.replaceAll('\n', '\r\n') : shown
    await acp.request('fs/write_text_file', { sessionId, path: absolute, content })
    return true
  } catch {
    return false
  }
}

/** Null for what an editor of text cannot give back byte for byte. */
async function textOnDisk(absolute: string): Promise<string | null> {
  const bytes = await readFile(absolute)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const plain = (text: string) => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n')
