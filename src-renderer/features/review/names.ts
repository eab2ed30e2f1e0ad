/** How files are named in a review: what hides or turns text is made visible. */
import { baseName, parentPath, type WirePath } from '#contract/path'
import { visible } from '../../ui/visible.ts'

export const nameOf = ({ path }: WirePath): string => visible(baseName(path))
export const folderOf = ({ path }: WirePath): string => visible(parentPath(path))
