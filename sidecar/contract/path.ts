/** How a file is named on the wire. `workspace/paths.ts` alone turns these into paths of this machine. */
import { z } from 'zod'
import { RootId } from './id.ts'

/** A place inside a workspace root. `path` is relative, `/`-separated, without `.` or `..`; '' is the root itself. */
export const WirePath = z.object({ rootId: RootId, path: z.string() })
export type WirePath = z.infer<typeof WirePath>

/** Moving or copying one file or folder. */
export const Move = z.object({ from: WirePath, to: WirePath })
export type Move = z.infer<typeof Move>
/** As many as are asked for at once. */
export const Moves = z.array(Move).min(1).max(1000)

/** A place outside every root: readable at most, never written; or `untitled:`, a text that has no file yet. */
export const OutsidePath = z.object({ uri: z.string().regex(/^(file:|untitled:Untitled-\d{1,6}$)/) })
export type OutsidePath = z.infer<typeof OutsidePath>

export const AnyPath = z.union([WirePath, OutsidePath])
export type AnyPath = z.infer<typeof AnyPath>

export const untitledPath = (number: number): OutsidePath => ({ uri: `untitled:Untitled-${number}` })
export const isUntitled = (at: AnyPath): boolean => 'uri' in at && /^untitled:Untitled-\d{1,6}$/.test(at.uri)

/** A stable key for maps. NUL cannot occur in either part. */
export const pathKey = (at: AnyPath): string => ('uri' in at ? at.uri : `${at.rootId}\0${at.path}`)
export const samePath = (a: AnyPath, b: AnyPath): boolean => pathKey(a) === pathKey(b)
/** The last segment of a wire path; '' for a root. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
/** Everything before the last segment; '' at the top. */
export const parentPath = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '')
export const joinPath = (parent: string, name: string): string => (parent === '' ? name : `${parent}/${name}`)
