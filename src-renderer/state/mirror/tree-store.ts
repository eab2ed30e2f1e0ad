/** The folders this window knows. Written by client/workspace-pump.ts only. */
import { create } from 'zustand'
import type { WorkspaceId } from '#contract/id'
import { emptyTree, type Tree } from './tree-model.ts'

export interface TreeMirror {
  readonly workspaceId: WorkspaceId | null
  readonly tree: Tree
}

export const treeStore = create<TreeMirror>(() => ({ workspaceId: null, tree: emptyTree }))
