/** What packing left for the running Belay: of which sources it is, which `packaging/stamp.ts` wrote into its package.json. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtFiles } from './built.ts'

/** In the app's resources: the words of everybody whose work is in it. */
export const LICENCES_FILE = 'THIRD-PARTY-LICENSES.txt'

export interface BuildStamp {
  /** Null outside of a repository. With a plus sign: of sources that differ from it. */
  readonly commit: string | null
  /** ISO 8601, UTC. */
  readonly date: string | null
}

/** Null where it runs from its sources. `here`: `import.meta.dirname` of any module of the main bundle. */
export function buildStamp(here: string): BuildStamp | null {
  const file = join(dirname(builtFiles(here).belay), '../../package.json')
  try {
    const { belay } = JSON.parse(readFileSync(file, 'utf8')) as { belay?: Partial<BuildStamp> }
    return belay ? { commit: belay.commit ?? null, date: belay.date ?? null } : null
  } catch {
    return null
  }
}

/** "0.1.0 (1a2b3c4d5e6f, 2026-11-30)". */
export function versionWords(version: string, stamp: BuildStamp | null): string {
  const known = stamp ? [stamp.commit, stamp.date?.slice(0, 10)].filter(Boolean) : ['from its sources']
  return known.length === 0 ? version : `${version} (${known.join(', ')})`
}
