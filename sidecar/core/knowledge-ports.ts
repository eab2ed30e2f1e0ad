/** What the knowledge room asks of workspaces: which files of instructions there are, and a line added to one by the person. */
import { toFault } from '#contract/error'
import type { WirePath } from '#contract/path'
import type { KnowledgeOptions } from '../knowledge/knowledge.ts'
import { surveyInstructions } from '../workspace/instructions.ts'
import type { Workspaces } from '../workspace/service.ts'

const MOST_LISTED = 200

export function knowledgePorts(
  workspaces: Pick<Workspaces, 'get'>,
): Pick<KnowledgeOptions, 'instructionsOf' | 'addLine'> {
  return {
    async instructionsOf(workspaceId) {
      const { info, files } = workspaces.get(workspaceId)
      const all = await files()
      const found = await surveyInstructions(
        info.roots.filter(root => !root.missing),
        info.trusted,
        async ({ rootId }) => all.filter(path => path.rootId === rootId).map(({ path }) => path),
      )
      return { files: found.slice(0, MOST_LISTED), more: found.length > MOST_LISTED }
    },
    async addLine(workspaceId, line) {
      const { info, documents, operations } = workspaces.get(workspaceId)
      const [root] = info.roots
      const path: WirePath = { rootId: (root as NonNullable<typeof root>).rootId, path: 'AGENTS.md' }
      const add = () => documents.edit(path, text => [lineAtEnd(text, line)])
      try {
        await add()
      } catch (thrown) {
        if (toFault(thrown).code !== 'not_found') throw thrown
        await operations.createFile(path)
        await add()
      }
      return path
    },
  }
}

/** A line of a list, behind whatever is there. */
function lineAtEnd(text: string, line: string): { from: number; to: number; text: string } {
  const before = text === '' || text.endsWith('\n') ? '' : '\n'
  return { from: text.length, to: text.length, text: `${before}- ${line.replaceAll('\n', '\n  ')}\n` }
}

/** Whether one of these changes is of a file of instructions. */
export const areInstructions = (changes: readonly { readonly path: WirePath }[]): boolean =>
  changes.some(({ path }) => /(^|\/)(AGENTS|CLAUDE)\.md$/.test(path.path))
