/** edit: exact and unique replacements in one file, all or nothing. */

import { createTwoFilesPatch } from 'diff'
import { z } from 'zod'
import { applyChanges } from '#contract/document-transform'
import type { Tool } from '../agent/ports.ts'
import {
  defineTool,
  expectRead,
  ledgerLine,
  type ReadLedger,
  refused,
  said,
  type WorkspaceOf,
  writerOf,
} from './define.ts'
import { planEdits, type TextEdit } from './match.ts'
import { writableIn } from './place.ts'

export const createEdit = (workspaceOf: WorkspaceOf, ledger: ReadLedger): Tool =>
  defineTool({
    name: 'edit',
    description:
      'Change parts of a file that you have read in this session. Each edit replaces `old` by `new`; `old` must match the file exactly (white space too, without line numbers) and occur once, or set `all`. All edits are matched against the file as it is now and applied together, or none is.',
    parameters: z.object({
      path: z.string().min(1),
      edits: z
        .array(z.object({ old: z.string(), new: z.string(), all: z.boolean().optional() }))
        .min(1)
        .max(200),
    }),
    parallel: false,
    async describe({ path, edits }, context) {
      const workspace = workspaceOf(context.workspaceId)
      const place = await writableIn(workspace.paths, path)
      if (!place.exists) throw refused(`${path} does not exist. Use write to create it.`)
      const seen = expectRead(ledger, context.sessionId, place.absolute, path)
      const saved = await workspace.documents.readSaved(place.absolute)
      if (saved.hash !== seen) throw refused(`${path} changed on disk since you read it. Read it again, then edit.`)
      const after = applyChanges(saved.text, plan(path, saved.text, edits))
      return {
        kind: 'write',
        path: place.absolute,
        creates: false,
        exact: createTwoFilesPatch(path, path, saved.text, after),
      }
    },
    async run({ path, edits }, context) {
      const workspace = workspaceOf(context.workspaceId)
      const place = await writableIn(workspace.paths, path)
      const expect = expectRead(ledger, context.sessionId, place.absolute, path)
      const result = await workspace.documents.agentEdit({
        path: place,
        expect,
        writer: writerOf(context),
        make: saved => plan(path, saved?.text ?? '', edits),
      })
      ledger.saw(context.sessionId, place.absolute, result.after)
      const line = await ledgerLine(context, { path: place.wire, ...result })
      return { ...said(`Edited ${path} (+${line.added} -${line.removed} lines).`), files: [line] }
    },
  })

function plan(path: string, text: string, edits: readonly TextEdit[]) {
  const result = planEdits(text, edits)
  if (!result.ok) throw refused(`${path} was not changed: ${result.message}`)
  return result.changes
}
