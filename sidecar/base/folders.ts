/** Where Belay keeps things on each platform. `BELAY_HOME` moves all of it (tests, portable installs). */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { BelayError } from '#contract/error'

export interface Folders {
  /** Settings and keymap: what a person edits. */
  readonly config: string
  /** Sessions, backups, trash: what must not be lost. */
  readonly data: string
  /** Instances, locks, sockets: true only while something runs. */
  readonly state: string
  /** May be deleted at any time. */
  readonly cache: string
}

export function foldersOf(env: NodeJS.ProcessEnv = process.env, platform: NodeJS.Platform = process.platform): Folders {
  const home = env.HOME || env.USERPROFILE || (env.BELAY_HOME ? '' : ownHome())
  const under = (base: string): Folders => ({
    config: join(base, 'config'),
    data: join(base, 'data'),
    state: join(base, 'state'),
    cache: join(base, 'cache'),
  })
  if (env.BELAY_HOME) return under(env.BELAY_HOME)
  if (platform === 'win32') return under(join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'Belay'))
  if (platform === 'darwin') {
    const library = join(home, 'Library')
    return { ...under(join(library, 'Application Support', 'Belay')), cache: join(library, 'Caches', 'Belay') }
  }
  return {
    config: join(env.XDG_CONFIG_HOME || join(home, '.config'), 'belay'),
    data: join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'belay'),
    state: join(env.XDG_STATE_HOME || join(home, '.local', 'state'), 'belay'),
    cache: join(env.XDG_CACHE_HOME || join(home, '.cache'), 'belay'),
  }
}

/** A machine may know none of its user: a container that runs as any number, say. */
function ownHome(): string {
  try {
    return homedir()
  } catch (cause) {
    throw new BelayError(
      'unavailable',
      'This user has no home folder here, so there is nowhere to keep anything. Nothing was started; set HOME, or BELAY_HOME to a folder of yours.',
      { cause },
    )
  }
}
