/** The machine as `belay web` offers it to its sidecar: keys in a 0600 file, the platform's trash, the login shell's environment. */
import { execFile } from 'node:child_process'
import type { Machine } from '../serve-machine.ts'
import type { Secrets } from './secrets.ts'
import type { ShellEnvironment } from './shell-environment.ts'
import { moveToTrash } from './trash.ts'

/** `shell` is its maker's to end. */
export function createMachine(options: { secrets: Secrets; env: NodeJS.ProcessEnv; shell: ShellEnvironment }): Machine {
  const { secrets, env, shell } = options
  return {
    secretGet: async ({ name }) => ({ value: await secrets.get(name) }),
    secretSet: async ({ name, value }) => {
      await secrets.set(name, value)
      return {}
    },
    secretDelete: async ({ name }) => {
      await secrets.set(name, null)
      return {}
    },
    trash: async ({ absolute }) => ({ place: await moveToTrash(absolute, env) }),
    shellEnvironment: async () => ({ env: await shell.get() }),
    notify: ({ title, body }) => {
      notify(title, body, env)
      return {}
    },
  }
}

/** Best effort: the window tells the same in its own way. */
function notify(title: string, body: string, env: NodeJS.ProcessEnv): void {
  const options = { env, timeout: 5000 }
  if (process.platform === 'darwin') {
    const script = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run'
    execFile('osascript', ['-e', script, title, body], options, () => {})
  } else if (process.platform === 'linux' && (env.DISPLAY || env.WAYLAND_DISPLAY)) {
    execFile('notify-send', ['--app-name=Belay', '--', title, body], options, () => {})
  }
}
