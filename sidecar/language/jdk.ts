/** The JDK that a server of Java runs on, found without starting one: JAVA_HOME where it is new enough, else the newest installed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'

/** Null where none is `least` or newer. */
export function findJdk(
  least: number,
  env: NodeJS.ProcessEnv,
  folders: readonly string[] = usualFolders(),
): string | null {
  const own = env.JAVA_HOME
  if (own && versionOf(own) >= least) return own
  const installed = folders.flatMap(folder => children(folder)).map(home => ({ home, version: versionOf(home) }))
  const newest = installed.filter(({ version }) => version >= least).sort((a, b) => b.version - a.version)[0]
  return newest?.home ?? null
}

function usualFolders(): string[] {
  const own = homedir()
  if (process.platform === 'win32') return ['C:\\Program Files\\Java', 'C:\\Program Files\\Eclipse Adoptium']
  return [
    '/Library/Java/JavaVirtualMachines',
    '/usr/lib/jvm',
    '/opt/java',
    join(own, 'Library/Java/JavaVirtualMachines'),
    join(own, '.sdkman/candidates/java'),
    join(own, '.jdks'),
  ]
}

function children(folder: string): string[] {
  try {
    return readdirSync(folder).map(name => {
      const home = join(folder, name)
      // A bundle of macOS.
      return existsSync(join(home, 'Contents/Home')) ? join(home, 'Contents/Home') : home
    })
  } catch {
    return []
  }
}

/** The major version; 0 for what is no JDK. `1.8.x` is 8. */
function versionOf(home: string): number {
  if (!existsSync(join(home, 'bin', process.platform === 'win32' ? 'java.exe' : 'java'))) return 0
  let said: string | undefined
  try {
    said = /^JAVA_VERSION="?([^"\n]+)/m.exec(readFileSync(join(home, 'release'), 'utf8'))?.[1]
  } catch {
    // Its name has to do.
  }
  said ??= /\d+(\.\d+)*/.exec(basename(home.replace(/\/Contents\/Home$/, '')))?.[0]
  const [major = 0, minor = 0] = (said ?? '').split(/[.+-]/).map(Number)
  return major === 1 ? minor : major || 0
}
