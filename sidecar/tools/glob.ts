/** glob: files by pattern, newest first. */
import { stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../agent/ports.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { defineTool, refused, said, type WorkspaceOf } from './define.ts'
import { ripgrep } from './ripgrep.ts'

const MAX_FILES = 200
const MAX_SCANNED = 20_000

export const createGlob = (workspaceOf: WorkspaceOf, ledger: ChildLedger): Tool =>
  defineTool({
    name: 'glob',
    description:
      'Find files by a glob such as "**/*.ts" or "src/**/test_*.py", newest first. Ignored files (.gitignore, .git) are left out. `path` is the folder to look in (default: the first root).',
    parameters: z.object({ pattern: z.string().min(1).max(1000), path: z.string().min(1).default('.') }),
    parallel: true,
    async describe({ path }, { workspaceId }) {
      return { kind: 'read', path: (await workspaceOf(workspaceId).paths.resolve(path)).absolute }
    },
    async run({ pattern, path }, { workspaceId, signal }) {
      const { paths } = workspaceOf(workspaceId)
      const { absolute, exists } = await paths.resolve(path)
      if (!exists || !(await stat(absolute)).isDirectory())
        throw refused(`${path} is no folder. Give an existing folder in "path", and the pattern in "pattern".`)
      const { lines, truncated } = await ripgrep(
        ['--files', '--hidden', '--glob', pattern, '--glob', '!.git', '--null', '--', '.'],
        { cwd: absolute, maxLines: MAX_SCANNED, separator: '\0', signal, ledger },
      )
      if (lines.length === 0) return said(`No file matches ${pattern} in ${path}.`, { matches: 0 })
      const root = paths.roots[0]?.absolute ?? absolute
      const dated = await Promise.all(
        lines.map(async line => {
          const file = join(absolute, line)
          const modified = await stat(file).then(
            facts => facts.mtimeMs,
            () => 0,
          )
          return { name: relative(root, file).replaceAll('\\', '/'), modified }
        }),
      )
      dated.sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1))
      const names = dated.slice(0, MAX_FILES).map(file => file.name)
      const rest =
        dated.length > MAX_FILES || truncated ? `\n(${dated.length - names.length} more. Narrow the pattern.)` : ''
      return said(`${names.join('\n')}${rest}`, { matches: dated.length })
    },
  })
