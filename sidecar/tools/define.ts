/** How a tool is written down, and the few words all of them share. */
import type { z } from 'zod'
import { BelayError } from '#contract/error'
import { type BlobId, FileHash, type WorkspaceId } from '#contract/id'
import type { Writer } from '#contract/ledger'
import type { FileWrite } from '#contract/session-event'
import type { Tool, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { countLines } from '../base/count-lines.ts'
import type { Workspace } from '../workspace/service.ts'

/** Throws `not_found` when the workspace was closed. */
export type WorkspaceOf = (id: WorkspaceId) => Pick<Workspace, 'paths' | 'documents' | 'leftOut'>

/** Ties `describe` and `run` to what `parameters` parses to. */
export const defineTool = <S extends z.ZodType>(tool: Tool<z.output<S>> & { parameters: S }): Tool => tool as Tool

/** An outcome that changed no file. */
export const said = (text: string, detail: Record<string, unknown> = {}, failed = false): ToolOutcome => ({
  failed,
  text,
  files: [],
  lsp: [],
  detail,
})

/** Contents above this are not kept as blobs of the write ledger: UTF-16 units. */
const LEDGER_TEXT_LIMIT = 2_000_000

/** One line of the write ledger with its blobs and counts. `after` is what stands on disk now. */
export async function ledgerLine(
  context: ToolContext,
  write: Pick<FileWrite, 'path' | 'before' | 'after' | 'by'> & { beforeText: string | null; afterText: string },
): Promise<FileWrite> {
  const { beforeText, afterText, ...facts } = write
  const keep = async (text: string | null): Promise<BlobId | null> =>
    text === null || text.length > LEDGER_TEXT_LIMIT ? null : context.blob(new TextEncoder().encode(text))
  return {
    ...facts,
    ...countLines(beforeText ?? '', afterText),
    beforeBlob: await keep(beforeText),
    afterBlob: await keep(afterText),
  }
}

/** Who writes, for the ledger. */
export const writerOf = ({ sessionId, turnId, callId }: ToolContext): Writer => ({ sessionId, turnId, callId })

/** A fault whose words are meant for the model: they say what would have worked. */
export const refused = (message: string): BelayError => new BelayError('invalid', message)

/** What each session has read of each file: an edit needs the text the model saw. Forgotten with the process. */
export interface ReadLedger {
  saw(sessionId: string, absolute: string, hash: FileHash): void
  /** Undefined: not read in this session. */
  seen(sessionId: string, absolute: string): FileHash | undefined
}

export function createReadLedger(): ReadLedger {
  const bySession = new Map<string, Map<string, FileHash>>()
  return {
    saw(sessionId, absolute, hash) {
      const known = bySession.get(sessionId) ?? new Map<string, FileHash>()
      known.set(absolute, FileHash.parse(hash))
      bySession.set(sessionId, known)
    },
    seen: (sessionId, absolute) => bySession.get(sessionId)?.get(absolute),
  }
}

/** The hash this session knows; throws words for the model where it never read the file. */
export function expectRead(ledger: ReadLedger, sessionId: string, absolute: string, path: string): string {
  const hash = ledger.seen(sessionId, absolute)
  if (!hash) throw refused(`${path} exists and was not read in this session. Read it first, then change it.`)
  return hash
}
