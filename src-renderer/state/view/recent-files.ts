/** Files lately opened in this workspace, newest first: what the file finder starts with. */
import { type AnyPath, samePath } from '#contract/path'
import { remembered } from './remember.ts'

const MAX = 50
const none: readonly AnyPath[] = []

export const recentFiles = remembered<readonly AnyPath[]>('recentFiles', none)
export const addRecentFile = (path: AnyPath): void =>
  recentFiles.set(files => [path, ...files.filter(file => !samePath(file, path))].slice(0, MAX))
