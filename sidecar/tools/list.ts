/** list: one level of a folder. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../agent/ports.ts'
import { defineTool, refused, said, type WorkspaceOf } from './define.ts'

const MAX_ENTRIES = 1000

/** `isHidden`: what the jail holds a place with. */
export const createList = (workspaceOf: WorkspaceOf, isHidden: (absolute: string) => boolean): Tool =>
  defineTool({
    name: 'list',
    description: 'List one level of a folder: folders first (ending in /), then files. "." is the first root.',
    parameters: z.object({ path: z.string().min(1).default('.') }),
    parallel: true,
    async describe({ path }, { workspaceId }) {
      return { kind: 'read', path: (await workspaceOf(workspaceId).paths.resolve(path)).absolute }
    },
    async run({ path }, { workspaceId }) {
      const { absolute, exists } = await workspaceOf(workspaceId).paths.resolve(path)
      if (!exists) throw refused(`${path} does not exist. Use list on its parent, or glob, to see what is there.`)
      if (!(await stat(absolute)).isDirectory()) throw refused(`${path} is a file. Use read to see its content.`)
      const all = await readdir(absolute, { withFileTypes: true })
      const entries = all.filter(entry => !isHidden(join(absolute, entry.name)))
      const shown = await Promise.all(
        entries.slice(0, 10 * MAX_ENTRIES).map(async entry => {
          const folder = entry.isSymbolicLink()
            ? await stat(join(absolute, entry.name)).then(
                facts => facts.isDirectory(),
                () => false,
              )
            : entry.isDirectory()
          return { folder, name: folder ? `${entry.name}/` : entry.isSymbolicLink() ? `${entry.name}@` : entry.name }
        }),
      )
      shown.sort((a, b) => Number(b.folder) - Number(a.folder) || (a.name < b.name ? -1 : 1))
      const names = shown.slice(0, MAX_ENTRIES).map(entry => entry.name)
      const rest =
        entries.length > names.length ? `\n(${entries.length - names.length} more. Use glob with a pattern.)` : ''
      return said(names.length > 0 ? `${names.join('\n')}${rest}` : '(empty)', { entries: entries.length })
    },
  })
