/** The command `belay` in a person's terminals: put where shells look, said, and taken away again. Never over what is not Belay's. */
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { BelayError } from '#contract/error'
import type { ShellCommand } from '#contract/shell-command'
import { ARCHIVE, AS_NODE, shellQuoted } from '../base/node-program.ts'

export interface Installation {
  readonly platform: NodeJS.Platform
  readonly home: string
  /** Of the person's terminals: PATH; and APPIMAGE, where Belay runs from one. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The app's folder of resources; null where Belay runs from its sources. */
  readonly resources: string | null
  /** Where a package of the system puts it; another place in tests. */
  readonly packaged?: string
}

/** Throws `unavailable` with what stands in the way. What it answers is how things are afterwards. */
export function shellCommand(installation: Installation, wish: 'look' | 'install' | 'remove'): ShellCommand {
  const before = look(installation)
  if (wish === 'install' && before.state === 'absent') {
    put(before.place, content(installation))
    return look(installation)
  }
  if (wish === 'remove' && before.state === 'installed') {
    rmSync(before.place)
    return look(installation)
  }
  return before
}

function look(installation: Installation): ShellCommand {
  const { platform, resources, packaged = '/usr/bin/belay' } = installation
  if (resources === null) return { state: 'sources' }
  const launcher = launcherOf(resources)
  if (platform === 'win32') return { state: 'by-hand', place: dirname(launcher) }
  if (realPath(packaged) !== null && realPath(packaged) === realPath(launcher))
    return { state: 'packaged', place: packaged }
  const places = folders(installation).map(folder => join(folder, 'belay'))
  const own = places.find(place => holds(place, installation))
  if (own) return { state: 'installed', place: own, onPath: isOnPath(own, installation) }
  // One of Belay's own, of another place or version, is replaced; another's is not.
  const place = places.find(each => isOurs(each) || !exists(each))
  if (place) return { state: 'absent', place, onPath: isOnPath(place, installation) }
  return { state: 'taken', place: places[0] ?? '' }
}

const launcherOf = (resources: string): string => join(resources, 'bin', 'belay')

/** Those that the person may write in, the usual one first; their own is made where it is not there. */
function folders({ platform, home }: Installation): string[] {
  const own = join(home, '.local', 'bin')
  return platform === 'darwin' && isWritable('/usr/local/bin') ? ['/usr/local/bin', own] : [own]
}

type Content = { readonly link: string } | { readonly script: string }

const MARK = '# Made by Belay: the command of an AppImage.'

/** What is inside of an AppImage has another place each time; its file stays where it is. */
function content({ env, resources }: Installation): Content {
  const { APPIMAGE: image } = env
  if (!image) return { link: launcherOf(resources ?? '') }
  const start = `import(process.env.APPDIR + "/resources/${ARCHIVE}/out/main/belay.js")`
  // AppRun adds "--no-sandbox" before everything else unless somebody has said it. Node takes no such word: here it stands where
  // the name of a script would.
  const line = `${AS_NODE}=1 exec ${shellQuoted(image)} -e '${start}' -- --no-sandbox "$@"`
  return { script: `#!/bin/sh\n${MARK}\n${line}\n` }
}

function holds(place: string, installation: Installation): boolean {
  const wanted = content(installation)
  if ('link' in wanted) return linkOf(place) === wanted.link
  return textOf(place) === wanted.script
}

function isOurs(place: string): boolean {
  return /[\\/]resources[\\/]bin[\\/]belay$/i.test(linkOf(place) ?? '') || (textOf(place) ?? '').includes(MARK)
}

/** At once: whoever starts it meanwhile has the old one or the new one. */
function put(place: string, wanted: Content): void {
  const beside = `${place}.${process.pid}.new`
  try {
    mkdirSync(dirname(place), { recursive: true })
    if ('link' in wanted) symlinkSync(wanted.link, beside)
    else writeFileSync(beside, wanted.script, { mode: 0o755, flag: 'wx' })
    renameSync(beside, place)
  } catch (cause) {
    attempt(() => rmSync(beside, { force: true }))
    throw new BelayError('unavailable', `${place} could not be written: ${(cause as Error).message}`, { cause })
  }
}

const isOnPath = (place: string, { env }: Installation): boolean =>
  (env.PATH ?? '').split(delimiter).some(folder => folder.replace(/\/+$/, '') === dirname(place))

function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const exists = (path: string): boolean => attempt(() => lstatSync(path)) !== null
const realPath = (path: string): string | null => attempt(() => realpathSync(path))
const linkOf = (path: string): string | null => attempt(() => readlinkSync(path))
/** Of a plain file: nothing is read through a link. */
const textOf = (path: string): string | null =>
  attempt(() => (lstatSync(path).isFile() ? readFileSync(path, 'utf8') : null))
const isWritable = (folder: string): boolean =>
  attempt(() => {
    accessSync(folder, constants.W_OK)
    return true
  }) ?? false
