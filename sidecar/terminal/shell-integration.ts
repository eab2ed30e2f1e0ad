/** Teaches a shell to mark its prompts and commands, without touching the person's start-up files: ours run them first. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import bashScript from '../../resources/shell-integration/bash.sh?raw'
import fishScript from '../../resources/shell-integration/fish.fish?raw'
import zshScript from '../../resources/shell-integration/zsh.zsh?raw'
import zshEnvScript from '../../resources/shell-integration/zsh-env.zsh?raw'
import zshProfileScript from '../../resources/shell-integration/zsh-profile.zsh?raw'

export interface ShellCommand {
  readonly args: string[]
  readonly env: Record<string, string>
}

export interface ShellIntegration {
  /**
   * The same command with marks. Shells that we do not know, and argument lists other than none or "login", are left alone.
   * `nonce` proves that a mark's command line came from the shell and not from a program's output.
   */
  inject(shell: string, command: ShellCommand, nonce: string): Promise<ShellCommand>
  dispose(): Promise<void>
}

const scripts = {
  'bash.sh': bashScript,
  'fish.fish': fishScript,
  '.zshenv': zshEnvScript,
  '.zprofile': zshProfileScript,
  '.zshrc': zshScript,
}

/** The scripts are written on first use, to a new folder that only this user may read or change. */
export function createShellIntegration(parent: string = tmpdir()): ShellIntegration {
  let folder: Promise<string> | undefined
  const write = async () => {
    const made = await mkdtemp(join(parent, 'belay-shell-'))
    await Promise.all(
      Object.entries(scripts).map(([name, text]) => writeFile(join(made, name), text, { mode: 0o600, flag: 'wx' })),
    )
    return made
  }
  return {
    async inject(shell, command, nonce) {
      const login = command.args.length === 1 && /^(-l|--login)$/.test(command.args[0] ?? '')
      if (command.args.length > 0 && !login) return command
      const name = basename(shell).replace(/\.exe$/i, '')
      if (name !== 'bash' && name !== 'zsh' && name !== 'fish') return command
      folder ??= write()
      const at = await folder
      const env = { ...command.env, BELAY_NONCE: nonce }
      if (name === 'fish') return { args: [...command.args, '--init-command', `source '${quoted(at)}/fish.fish'`], env }
      if (name === 'zsh') return { args: command.args, env: { ...env, ...zshFolders(command.env, at) } }
      return { args: ['--init-file', join(at, 'bash.sh')], env: login ? { ...env, BELAY_LOGIN: '1' } : env }
    },
    async dispose() {
      const at = await folder?.catch(() => null)
      if (at) await rm(at, { recursive: true, force: true })
    },
  }
}

const quoted = (path: string) => path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")

function zshFolders(env: Readonly<Record<string, string>>, folder: string): Record<string, string> {
  const own = env.ZDOTDIR
  const user = { BELAY_USER_ZDOTDIR: own ?? env.HOME ?? '' }
  return own ? { ZDOTDIR: folder, ...user, BELAY_HAD_ZDOTDIR: '1' } : { ZDOTDIR: folder, ...user }
}
