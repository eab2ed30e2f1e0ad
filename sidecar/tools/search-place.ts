/** Where a search of the agent looks: the folder it names, or every root; and what the files found there are called. */
import { isAbsolute, join, relative } from 'node:path'
import { innerFolders, type ResolvedPath } from '../workspace/paths.ts'
import { globLiteral, ruleArguments } from '../workspace/ripgrep.ts'
import type { WorkspaceOf } from './define.ts'

export interface SearchPlace {
  /** Real. */
  readonly cwd: string
  /** For ripgrep, after its other globs: the same is left out here as in the person's searches. */
  readonly leaves: readonly string[]
}

export { ruleArguments }

type Searched = ReturnType<WorkspaceOf>

/** Every root that is there; one inside another is searched as itself. */
export const allRoots = ({ paths, leftOut }: Searched): SearchPlace[] => {
  const roots = paths.roots.filter(root => !root.missing)
  return roots.map(root => ({
    cwd: root.absolute,
    leaves: [...leftOut.globs, ...innerFolders(root, roots).flatMap(path => ['--glob', `!/${globLiteral(path)}`])],
  }))
}

export const onePlace = ({ leftOut }: Searched, { absolute }: ResolvedPath): SearchPlace => ({
  cwd: absolute,
  leaves: leftOut.globs,
})

/** As a path that `resolve` takes: relative to the first root, absolute outside it. */
export function nameOf({ paths }: Searched, cwd: string, file: string): string {
  const absolute = join(cwd, file)
  const name = relative(paths.roots[0]?.absolute ?? cwd, absolute)
  return (name.startsWith('..') || isAbsolute(name) ? absolute : name).replaceAll('\\', '/')
}
