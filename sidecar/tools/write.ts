/** write: a whole file, new or instead of one that was read. */
import { createTwoFilesPatch } from 'diff'
import { z } from 'zod'
import type { Tool } from '../agent/ports.ts'
import { defineTool, expectRead, ledgerLine, type ReadLedger, said, type WorkspaceOf, writerOf } from './define.ts'
import { inLineEndsOf } from './match.ts'
import { writableIn } from './place.ts'

const MAX_CONTENT = 10_000_000

export const createWrite = (workspaceOf: WorkspaceOf, ledger: ReadLedger): Tool =>
  defineTool({
    name: 'write',
    description:
      'Write a whole file: create it, or replace one that you have read in this session. Missing folders are made.',
    parameters: z.object({ path: z.string().min(1), content: z.string().max(MAX_CONTENT) }),
    parallel: false,
    async describe({ path, content }, context) {
      const workspace = workspaceOf(context.workspaceId)
      const { absolute, exists } = await writableIn(workspace.paths, path)
      if (!exists) return { kind: 'write', path: absolute, creates: true, exact: content }
      expectRead(ledger, context.sessionId, absolute, path)
      const saved = await workspace.documents.readSaved(absolute)
      const after = inLineEndsOf(saved.text, content)
      return {
        kind: 'write',
        path: absolute,
        creates: false,
        exact: createTwoFilesPatch(path, path, saved.text, after),
      }
    },
    async run({ path, content }, context) {
      const workspace = workspaceOf(context.workspaceId)
      const place = await writableIn(workspace.paths, path)
      const expect = place.exists ? expectRead(ledger, context.sessionId, place.absolute, path) : null
      const result = await workspace.documents.agentEdit({
        path: place,
        expect,
        writer: writerOf(context),
        make: saved => (saved ? wholeChange(saved.text, inLineEndsOf(saved.text, content)) : content),
      })
      ledger.saw(context.sessionId, place.absolute, result.after)
      const line = await ledgerLine(context, { path: place.wire, ...result })
      return {
        ...said(`${place.exists ? 'Replaced' : 'Created'} ${path} (+${line.added} -${line.removed} lines).`),
        files: [line],
      }
    },
  })

/** One change between the common head and tail, so that untouched text stays untouched. */
export function wholeChange(before: string, after: string): { from: number; to: number; text: string }[] {
  let head = 0
  const most = Math.min(before.length, after.length)
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++
  if (head === before.length && head === after.length) return []
  return [{ from: head, to: before.length - tail, text: after.slice(head, after.length - tail) }]
}
