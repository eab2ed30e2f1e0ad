/** grep: lines that match a regular expression, by ripgrep. */
import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../agent/ports.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { defineTool, refused, said, type WorkspaceOf } from './define.ts'
import { ripgrep } from './ripgrep.ts'

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
      'Search file contents by a regular expression (ripgrep syntax). Answers "path:line: text". `path` is a file or folder (default: the first root); `glob` narrows the files, such as "*.ts". Ignored files are left out.',
    parameters: z.object({
      pattern: z.string().min(1).max(2000),
      path: z.string().min(1).default('.'),
      glob: z.string().max(1000).optional(),
    }),
    parallel: true,
    async describe({ path }, { workspaceId }) {
      return { kind: 'read', path: (await workspaceOf(workspaceId).paths.resolve(path)).absolute }
    },
    async run({ pattern, path, glob }, { workspaceId, signal }) {
      const { paths } = workspaceOf(workspaceId)
      const { absolute, exists } = await paths.resolve(path)
      if (!exists) throw refused(`${path} does not exist. Search without "path", or use list to see what is there.`)
      const folder = (await stat(absolute)).isDirectory()
      const cwd = folder ? absolute : dirname(absolute)
      const { lines, truncated } = await ripgrep(
        [
          '--json',
          '--hidden',
          '--max-columns=10000',
          ...(glob ? ['--glob', glob] : []),
          '--glob',
          '!.git',
          '--regexp',
          pattern,
          '--',
          folder ? '.' : basename(absolute),
        ],
        { cwd, maxLines: MAX_MATCHES * 4, signal, ledger },
      )
      const root = paths.roots[0]?.absolute ?? cwd
      let hidden = 0
      const matches = lines.flatMap(line => {
        const parsed = Match.safeParse(parse(line))
        if (!parsed.success) return []
        const { path: file, lines: text, line_number } = parsed.data.data
        // Who named the file itself was asked about it already.
        if (folder && isSecret(file.text)) {
          hidden++
          return []
        }
        const name = relative(root, join(cwd, file.text)).replaceAll('\\', '/')
        return [`${name}:${line_number}: ${text.text.trimEnd().slice(0, MAX_LINE_CHARS)}`]
      })
      const secrets =
        hidden > 0
          ? `\n(${hidden} matches in files that hold secrets are not shown. Read such a file by name; that asks.)`
          : ''
      if (matches.length === 0) return said(`No match for ${pattern} in ${path}.${secrets}`, { matches: 0 })
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
