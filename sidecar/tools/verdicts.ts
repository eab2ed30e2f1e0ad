/**
 * Every write gets its verdict: whatever changed files is shown to the language servers, and the errors they find come with the
 * result. What is read is read by them too, so that they are warm when it is changed. No server can fail a tool.
 */
import type { WorkspaceId } from '#contract/id'
import { type AnyPath, pathKey } from '#contract/path'
import type { FileWrite, LspVerdict } from '#contract/session-event'
import type { LaterVerdict, Tool, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { enclosed, newMark } from '../base/foreign-text.ts'
import type { Language } from '../language/language.ts'
import type { Workspace } from '../workspace/service.ts'

type WorkspaceOf = (id: WorkspaceId) => Pick<Workspace, 'paths'>
type Servers = Pick<Language, 'check' | 'warm'>

export const withVerdicts = (tools: readonly Tool[], servers: Servers, workspaceOf: WorkspaceOf): Tool[] =>
  tools.map(tool => ({
    ...tool,
    async run(args, context) {
      if (tool.name === 'read') void warm(args, context, servers, workspaceOf)
      const outcome = await tool.run(args, context)
      return outcome.files.length > 0 ? withVerdict(outcome, context, servers, workspaceOf) : outcome
    },
  }))

async function withVerdict(
  outcome: ToolOutcome,
  { workspaceId, signal }: ToolContext,
  servers: Servers,
  workspaceOf: WorkspaceOf,
): Promise<ToolOutcome> {
  const { files } = outcome
  const { lsp, late } = await servers.check(
    workspaceId,
    files.map(({ path }) => path),
    signal,
  )
  if (lsp.length === 0) return outcome
  const { display } = workspaceOf(workspaceId).paths
  const text = wordsOf(lsp, files, display)
  const later = late?.then((found): LaterVerdict | null => {
    if (!found) return null
    // What was told already is not told again.
    const fresh = found.filter(each => !lsp.includes(each))
    return { lsp: found, text: wordsOf(fresh, files, display) }
  })
  return { ...outcome, lsp, ...(text === null ? {} : { verdict: text }), ...(later ? { later } : {}) }
}

async function warm(args: unknown, { workspaceId }: ToolContext, servers: Servers, workspaceOf: WorkspaceOf) {
  const { path } = args as { path?: unknown }
  if (typeof path !== 'string' || path.startsWith('blob:')) return
  try {
    const { absolute, wire } = await workspaceOf(workspaceId).paths.resolve(path)
    if (wire) servers.warm(workspaceId, absolute)
  } catch {
    // The tool itself says what is wrong with it.
  }
}

/** For a model; null where there is no error. The words of a server are a stranger's: they repeat what stands in the files. */
function wordsOf(
  lsp: readonly LspVerdict[],
  files: readonly FileWrite[],
  display: (path: AnyPath) => string,
): string | null {
  const own = new Set(files.map(({ path }) => pathKey(path)))
  const wrong = lsp.filter(({ errorCount }) => errorCount > 0)
  const here = wrong.filter(({ path }) => own.has(pathKey(path)))
  const elsewhere = wrong.filter(({ path }) => !own.has(pathKey(path)))
  const blocks = [
    ...(here.length > 0 ? ['The language server found errors in what was written. Fix them:'] : []),
    ...here.map(each => block(each, display)),
    ...(elsewhere.length > 0 ? ['Errors that are new in other files, which the change may have caused:'] : []),
    ...elsewhere.map(each => block(each, display)),
  ]
  return blocks.length > 0 ? blocks.join('\n') : null
}

function block({ path, items, errorCount }: LspVerdict, display: (path: AnyPath) => string): string {
  const lines = items.map(
    ({ line, column, message, source }) => `ERROR [${line}:${column}] ${message}${source ? ` (${source})` : ''}`,
  )
  const more = errorCount > items.length ? [`... and ${errorCount - items.length} more`] : []
  return enclosed('diagnostics', newMark(), display(path), [...lines, ...more].join('\n'))
}
