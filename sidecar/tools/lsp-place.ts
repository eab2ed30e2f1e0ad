/** What the lsp tool is asked, and which place of a text is meant. */
import { z } from 'zod'
import type { WorkspaceId } from '#contract/id'
import type { ToolContext } from '../agent/ports.ts'
import type { Language } from '../language/language.ts'
import type { Workspace } from '../workspace/service.ts'
import { refused } from './define.ts'

export type LspWorkspaceOf = (id: WorkspaceId) => Pick<Workspace, 'paths' | 'documents'>

const operations = [
  ...['definition', 'references', 'implementation', 'hover', 'symbols', 'workspace_symbols'],
  ...['incoming_calls', 'outgoing_calls', 'code_actions', 'rename'],
] as const

export const lspParameters = z.object({
  operation: z.enum(operations as unknown as [Operation, ...Operation[]]),
  path: z.string().min(1),
  line: z.number().int().min(1).optional(),
  column: z.number().int().min(1).optional(),
  symbol: z.string().min(1).max(500).optional(),
  query: z.string().max(500).optional(),
  newName: z.string().min(1).max(500).optional(),
})
type Operation = Parameters<Awaited<ReturnType<Language['of']>>['navigate']>[0]['operation'] | 'rename'
export type LspArguments = z.output<typeof lspParameters>

/** The place that is asked about. `symbol` stands for the column of its first occurrence in the line. */
export async function placeOf(
  { operation, line, column, symbol, path }: LspArguments,
  absolute: string,
  { workspaceId }: Pick<ToolContext, 'workspaceId'>,
  workspaceOf: LspWorkspaceOf,
): Promise<{ line: number; column: number }> {
  if (operation === 'symbols' || operation === 'workspace_symbols') return { line: 1, column: 1 }
  if (line === undefined) throw refused(`${operation} needs "line", and "column" or "symbol".`)
  if (column !== undefined || symbol === undefined) return { line, column: column ?? 1 }
  const { paths, documents } = workspaceOf(workspaceId)
  const wire = paths.toWire(absolute)
  const text = wire ? await documents.textOf(wire) : ''
  const at = (text.split(/\r\n|\r|\n/)[line - 1] ?? '').indexOf(symbol)
  if (at < 0)
    throw refused(
      `Line ${line} of ${path} does not contain ${JSON.stringify(symbol)}. Read the file for the line it is in.`,
    )
  return { line, column: at + 1 }
}
