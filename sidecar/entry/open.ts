/** `belay open [folder]`: the desktop's window on a folder. Where Belay runs already, it opens it there; this command ends at once. */
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { builtFiles } from '../supervise/built.ts'
import { findElectron, hasScreen } from '../supervise/executables.ts'
import { folderArgument } from '../supervise/folder-argument.ts'

const usage = 'Usage: belay open [folder]   The desktop window on a folder; without one, as it was left.\n'

export async function main(args: string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return say(process.stdout, usage, 0)
  const [asked, ...more] = args
  if (more.length > 0 || asked?.startsWith('-')) return say(process.stderr, usage, 1)
  const { env } = process
  const folder = asked === undefined ? [] : [await folderArgument(asked, process.cwd())]
  // What is inside of an AppImage is gone when this process is: its file starts the app.
  const program = env.APPIMAGE || findElectron(env)
  if (!program)
    return say(
      process.stderr,
      'The desktop window cannot be opened: Electron’s program is not here. “belay web” opens Belay in a browser.\n',
      1,
    )
  if (!hasScreen(env))
    return say(process.stderr, 'There is no screen here. “belay serve” lets a browser elsewhere be the window.\n', 1)
  const isPackaged = process.versions.electron !== undefined
  const sources = isPackaged ? [] : [join(dirname(builtFiles(import.meta.dirname).belay), '../..')]
  return start(program, [...sources, ...folder])
}

/** Resolves when it runs; it then lives on by itself. */
function start(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { detached: true, stdio: 'ignore', windowsHide: true })
  return new Promise(resolve => {
    child.once('error', fault => resolve(say(process.stderr, `${program} could not be started: ${fault.message}\n`, 1)))
    child.once('spawn', () => {
      child.unref()
      resolve(0)
    })
  })
}

function say(stream: NodeJS.WriteStream, text: string, code: number): number {
  stream.write(text)
  return code
}
