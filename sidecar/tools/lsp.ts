/** lsp: questions about code that a language server answers, and a rename, which is an edit of several files that asks. */
import type { Tool, ToolOutcome } from '../agent/ports.ts'
import { enclosed, newMark } from '../base/foreign-text.ts'
import type { Language } from '../language/language.ts'
import { defineTool, refused, said } from './define.ts'
import { type LspArguments, type LspWorkspaceOf, lspParameters, placeOf } from './lsp-place.ts'
import { createRenames } from './lsp-rename.ts'

/** More than a text has in a line is none of it. */
const MOST_CHARS = 20_000

export function createLsp(language: Pick<Language, 'of'>, workspaceOf: LspWorkspaceOf): Tool {
  const renames = createRenames(language, workspaceOf)
  return defineTool({
    name: 'lsp',
    rare: true,
    description:
      'Ask the language server about code: definition, references, implementation, hover, incoming_calls, outgoing_calls of what stands at `line` (from 1) and `column`, or of `symbol` in that line; symbols of the file `path`; workspace_symbols by `query`; code_actions offered at a line; rename to `newName` wherever it is used. `path` also says which language is meant.',
    parameters: lspParameters,
    parallel: false,
    async describe(args, context) {
      const { absolute, wire } = await workspaceOf(context.workspaceId).paths.resolve(args.path)
      if (!wire) throw refused(`${args.path} is outside the workspace; language servers work inside it.`)
      if (args.operation === 'rename') return renames.describe(args, absolute, context)
      return { kind: 'read', path: absolute }
    },
    async run(args, context) {
      const { operation } = args
      if (operation === 'rename') return renames.run(context)
      const { paths } = workspaceOf(context.workspaceId)
      const { absolute } = await paths.resolve(args.path)
      const at = await placeOf(args, absolute, context, workspaceOf)
      const servers = await language.of(context.workspaceId)
      const { query = '' } = args
      const { places, text } = await servers.navigate({ ...at, operation, absolute, query, signal: context.signal })
      if (text !== null) return told(args, text, text === '' ? 0 : 1)
      const lines = places.map(({ absolute: file, line, column, what }) => {
        const wire = file === null ? null : paths.toWire(file)
        const where = file === null ? 'no file' : wire ? paths.display(wire) : file
        return `${where}:${line}:${column}${what ? `  ${what}` : ''}`
      })
      return told(args, lines.join('\n'), places.length)
    },
  })
}

function told({ operation, path }: LspArguments, text: string, count: number): ToolOutcome {
  if (count === 0) return said(`The language server knows nothing of that (${operation}).`, { matches: 0 })
  return said(enclosed('answer', newMark(), `${operation} ${path}`, text.slice(0, MOST_CHARS)), { matches: count })
}
