/** glob: files by pattern, newest first. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../agent/ports.ts'
import type { ChildLedger } from '../base/process-group.ts'
import { defineTool, refused, said, type WorkspaceOf } from './define.ts'
import { ripgrep } from './ripgrep.ts'
import { allRoots, nameOf, onePlace, ruleArguments } from './search-place.ts'

const MAX_FILES = 200
const MAX_SCANNED = 20_000

export const createGlob = (workspaceOf: WorkspaceOf, ledger: ChildLedger): Tool =>
  defineTool({
    name: 'glob',
    description:
      'Find files by a glob such as "**/*.ts" or "src/**/test_*.py", newest first. Ignored files (.gitignore, .git) are left out. `path` is the folder to look in (default: every root).',
    parameters: z.object({ pattern: z.string().min(1).max(1000), path: z.string().min(1).optional() }),
    parallel: true,
    async describe({ path }, { workspaceId }) {
      return { kind: 'read', path: (await workspaceOf(workspaceId).paths.resolve(path ?? '.')).absolute }
    },
    async run({ pattern, path }, { workspaceId, signal }) {
      const workspace = workspaceOf(workspaceId)
      const named = path === undefined ? null : await workspace.paths.resolve(path)
      if (named && !(named.exists && (await stat(named.absolute)).isDirectory()))
        throw refused(`${path} is no folder. Give an existing folder in "path", and the pattern in "pattern".`)
      const found: { cwd: string; line: string }[] = []
      let truncated = false
      for (const { cwd, leaves } of named ? [onePlace(workspace, named)] : allRoots(workspace)) {
        const answer = await ripgrep([...ruleArguments, '--files', '--glob', pattern, ...leaves, '--null', '--', '.'], {
          cwd,
          maxLines: MAX_SCANNED - found.length,
          separator: '\0',
          signal,
          ledger,
        })
        found.push(...answer.lines.map(line => ({ cwd, line })))
        truncated ||= answer.truncated
        if (truncated) break
      }
      if (found.length === 0) return said(`No file matches ${pattern} in ${path ?? 'the workspace'}.`, { matches: 0 })
      const dated = await Promise.all(
        found.map(async ({ cwd, line }) => {
          const modified = await stat(join(cwd, line)).then(
            facts => facts.mtimeMs,
            () => 0,
          )
          return { name: nameOf(workspace, cwd, line), modified }
        }),
      )
      dated.sort((a, b) => b.modified - a.modified || (a.name < b.name ? -1 : 1))
      const names = dated.slice(0, MAX_FILES).map(file => file.name)
      const rest =
        dated.length > MAX_FILES || truncated ? `\n(${dated.length - names.length} more. Narrow the pattern.)` : ''
      return said(`${names.join('\n')}${rest}`, { matches: dated.length })
    },
  })
