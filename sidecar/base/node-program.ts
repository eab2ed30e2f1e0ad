/**
 * JavaScript that runs in a process of its own: on Node, or on the app's own executable, which is Node where one variable says
 * so. That variable is in the environment of such a child alone. And where its files lie, since no archive can be started.
 */

export interface NodeProgram {
  readonly command: string
  /** To be added to the child's environment, last. */
  readonly env: Readonly<Record<string, string>>
}

/** What the packed app's own files are in. */
export const ARCHIVE = 'app.asar'

/** The variable. */
export const AS_NODE = 'ELECTRON_RUN_AS_NODE'

export const nodeProgram = (): NodeProgram => ({
  command: process.execPath,
  env: process.versions.electron === undefined ? {} : { [AS_NODE]: '1' },
})

/** The same in front of a line for `sh`: the variable, then the executable. */
export function nodeInShell(): string {
  const { command, env } = nodeProgram()
  return [...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'exec', shellQuoted(command)].join(' ')
}

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** For a process that was itself started so, as its first act: what it starts must not take itself for Node. */
export function forgetNodeProgram(env: NodeJS.ProcessEnv = process.env): void {
  delete env[AS_NODE]
}

/** The file that another program can open or start, for one that Belay sees inside the app's archive. */
export const outsideArchive = (path: string): string => path.replace(/([\\/]app\.asar)(?=[\\/]|$)/, '$1.unpacked')

/** The app's folder of resources, for a file that Belay sees inside its archive; null: it lies in none, Belay runs from its sources. */
export const resourcesOf = (path: string): string | null => /^(.*)[\\/]app\.asar(?=[\\/]|$)/.exec(path)?.[1] ?? null
