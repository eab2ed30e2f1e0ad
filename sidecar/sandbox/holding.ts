/** What a jail holds for the folders of a workspace: what may be written, what of it may not, what is hidden, what reads as empty. */
import { realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, sep } from 'node:path'
import type { Root } from '#contract/workspace'
import { linkedRepositoryOf } from './linked-repository.ts'
import { covered, createSurveyor, type Survey, type Surveyor } from './survey.ts'

/**
 * Names that other programs act on as soon as they are there: while a command runs, they cannot come to be in the root of
 * what it may write. The other protected names are cleared away after it, as all of them are below the root; and `.git` too,
 * so that a repository can be begun.
 */
export const heldNames: readonly string[] = [
  ...['.belay', '.mcp.json', '.vscode', '.idea', '.claude', '.cursor', '.devcontainer', '.zed', '.husky', '.envrc'],
  ...['.gitconfig', '.bashrc', '.bash_profile', '.zshrc', '.zprofile', '.profile', '.npmrc', '.pre-commit-config.yaml'],
]
/** Below a folder that exists. */
const heldBelow: readonly (readonly [string, string])[] = [
  ['.git', 'hooks'],
  ['.github', 'workflows'],
]

/** Read-only places in one root; where there are more, the folders that hold the most of them are read-only whole. */
const MOST_READ_ONLY = 400
const MOST_MASKED = 2000

export interface Held {
  readonly writable: readonly string[]
  readonly readOnly: readonly string[]
  /** Of `readOnly` those that are roots: seen whole wherever they are. */
  readonly readOnlyRoots: readonly string[]
  readonly masked: readonly string[]
  /** Protected places that were there, by the writable folder that they are in. */
  readonly before: ReadonlyMap<string, ReadonlySet<string>>
  /** Places to be held although nothing is there. */
  readonly absent: readonly string[]
}

export interface Holding {
  /** Throws words where there is too much to mask. */
  of(roots: readonly Root[], withSecrets: boolean): Promise<Held>
  /** As it is now, for the sweep. */
  look(folder: string): Promise<Survey>
}

export function createHolding(added: () => readonly string[], skip: (absolute: string) => boolean): Holding {
  const surveyors = new Map<string, Surveyor>()
  const surveyorOf = (folder: string): Surveyor => {
    const known = surveyors.get(folder) ?? createSurveyor(folder, skip)
    surveyors.set(folder, known)
    return known
  }
  return {
    look: folder => surveyorOf(folder).look(),
    async of(all, withSecrets) {
      const roots = all.filter(root => !root.missing)
      const readOnlyRoots = roots.filter(root => root.readOnly).map(root => root.absolute)
      const own = roots.filter(root => !root.readOnly).map(root => root.absolute)
      const writable = outermost([...own, ...added().flatMap(real)])
      const surveys = await Promise.all(writable.map(folder => surveyorOf(folder).look()))
      const readOnly = surveys.flatMap(({ protectedPaths, linkedOutside, unseen }, at) =>
        covered([...protectedPaths, ...linkedOutside, ...unseen], writable[at] ?? '', MOST_READ_ONLY),
      )
      const linked = own.flatMap(folder => linkedRepositoryOf(folder) ?? [])
      const masked = withSecrets ? [] : surveys.flatMap(survey => survey.secrets)
      if (masked.length > MOST_MASKED)
        throw new Error(
          `There are ${masked.length} files with names of secrets, more than a jail can mask. Nothing was run.`,
        )
      return {
        writable: outermost([...writable, ...linked.flatMap(each => each.writable)]),
        // A read-only root inside a writable one stays so; around it, it is not writable anyway.
        readOnly: [
          ...readOnly,
          ...linked.flatMap(each => each.readOnly),
          ...readOnlyRoots.filter(root => isIn(writable, root)),
        ],
        readOnlyRoots,
        masked,
        before: new Map(surveys.map((survey, at) => [writable[at] ?? '', new Set(survey.protectedPaths)])),
        absent: [...writable.flatMap(absentIn), ...linked.flatMap(each => each.absent)],
      }
    },
  }
}

const absentIn = (folder: string): string[] => [
  ...heldNames.map(name => join(folder, name)),
  ...heldBelow.filter(([above]) => isFolder(join(folder, above))).map(([above, name]) => join(folder, above, name)),
]

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const isIn = (folders: readonly string[], path: string): boolean =>
  folders.some(folder => path === folder || path.startsWith(folder + sep))

const outermost = (folders: readonly string[]): string[] => {
  const all = [...new Set(folders)]
  return all.filter(each => !all.some(other => other !== each && each.startsWith(other + sep)))
}

/** A folder that a person named, if it is there: really, and never the whole disk. */
function real(named: string): string[] {
  const path = named === '~' || named.startsWith('~/') ? homedir() + named.slice(1) : named
  try {
    const found = isAbsolute(path) ? realpathSync(path) : sep
    return found === sep || !isFolder(found) ? [] : [found]
  } catch {
    return []
  }
}
