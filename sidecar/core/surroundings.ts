/** Where a turn stands in the world, put together from the rooms that know. */
import { release } from 'node:os'
import type { WorkspaceId } from '#contract/id'
import type { Surroundings } from '../agent/ports.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { shellHere } from '../tools/command.ts'
import { readInstructions } from '../workspace/instructions.ts'
import type { Workspaces } from '../workspace/service.ts'

export interface SurroundingsOptions {
  readonly workspaces: Pick<Workspaces, 'get'>
  readonly knowledge: Pick<Knowledge, 'told'>
  /** Nothing of the folder's and the person's own: what Belay ships alone. */
  readonly bare: boolean
  others(workspaceId: WorkspaceId): Promise<Surroundings['agents'] & object>
}

export const surroundingsOf =
  ({ workspaces, knowledge, bare, others }: SurroundingsOptions) =>
  async (workspaceId: WorkspaceId): Promise<Surroundings> => {
    const { info, documents } = workspaces.get(workspaceId)
    const roots = info.roots.filter(root => !root.missing)
    return {
      roots,
      platform: `${process.platform} ${release()}`,
      shell: shellHere()[0],
      date: new Date().toISOString().slice(0, 10),
      instructions: info.trusted && !bare ? await readInstructions(roots) : [],
      ...(bare ? {} : await knowledge.told(workspaceId)),
      dirty: documents.dirtyPaths().flatMap(path => ('rootId' in path ? [path] : [])),
      agents: await others(workspaceId),
    }
  }
