/** grep: lines that match a regular expression, by ripgrep. */
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../agent/ports.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { defineTool, refused, said, type WorkspaceOf } from './define.ts'
import { ripgrep } from './ripgrep.ts'
import { allRoots, nameOf, onePlace, ruleArguments, type SearchPlace } from './search-place.ts'

const MAX_MATCHES = 200
const MAX_LINE_CHARS = 300

const Match = z.object({
  type: z.literal('match'),
  data: z.object({
    path: z.object({ text: z.string() }),
    lines: z.object({ text: z.string() }),
    line_number: z.number(),
  }),
})

/** `isSecret`: files whose reading asks (.env and its kind). A search of a folder tells nothing of them. */
export const createGrep = (workspaceOf: WorkspaceOf, ledger: ChildLedger, isSecret: (path: string) => boolean): Tool =>
  defineTool({
    name: 'grep',
    description:
      'Search file contents by a regular expression (ripgrep syntax). Answers "path:line: text". `path` is a file or folder (default: every root); `glob` narrows the files, such as "*.ts". Ignored files are left out.',
    parameters: z.object({
      pattern: z.string().min(1).max(2000),
      path: z.string().min(1).optional(),
      glob: z.string().max(1000).optional(),
    }),
    parallel: true,
    async describe({ path }, { workspaceId }) {
      return { kind: 'read', path: (await workspaceOf(workspaceId).paths.resolve(path ?? '.')).absolute }
    },
    async run({ pattern, path, glob }, { workspaceId, signal }) {
      const workspace = workspaceOf(workspaceId)
      const named = path === undefined ? null : await workspace.paths.resolve(path)
      if (named && !named.exists)
        throw refused(`${path} does not exist. Search without "path", or use list to see what is there.`)
      const file = named && !(await stat(named.absolute)).isDirectory() ? basename(named.absolute) : null
      const folder = file === null
      const places: SearchPlace[] =
        named === null
          ? allRoots(workspace)
          : [folder ? onePlace(workspace, named) : { cwd: dirname(named.absolute), leaves: [] }]
      const lines: { cwd: string; line: string }[] = []
      let truncated = false
      for (const { cwd, leaves } of places) {
        const asked = ['--json', '--max-columns=10000', ...(glob ? ['--glob', glob] : []), ...leaves]
        const answer = await ripgrep([...ruleArguments, ...asked, '--regexp', pattern, '--', file ?? '.'], {
          ...{ cwd, signal, ledger },
          maxLines: MAX_MATCHES * 4 - lines.length,
        })
        lines.push(...answer.lines.map(line => ({ cwd, line })))
        truncated ||= answer.truncated
        if (truncated) break
      }
      let hidden = 0
      const matches = lines.flatMap(({ cwd, line }) => {
        const parsed = Match.safeParse(parse(line))
        if (!parsed.success) return []
        const { path: found, lines: text, line_number } = parsed.data.data
        // Who named the file itself was asked about it already.
        if (folder && isSecret(found.text)) {
          hidden++
          return []
        }
        return [`${nameOf(workspace, cwd, found.text)}:${line_number}: ${text.text.trimEnd().slice(0, MAX_LINE_CHARS)}`]
      })
      const secrets =
        hidden > 0
          ? `\n(${hidden} matches in files that hold secrets are not shown. Read such a file by name; that asks.)`
          : ''
      if (matches.length === 0)
        return said(`No match for ${pattern} in ${path ?? 'the workspace'}.${secrets}`, { matches: 0 })
      const shown = matches.slice(0, MAX_MATCHES)
      const rest =
        truncated || matches.length > shown.length
          ? '\n(More matches exist. Narrow the pattern, "path" or "glob".)'
          : ''
      return said(`${shown.join('\n')}${rest}${secrets}`, { matches: shown.length, truncated: rest !== '' })
    },
  })

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
