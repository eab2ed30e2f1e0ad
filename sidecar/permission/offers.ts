/** What may be remembered of a command: itself, and a beginning where that says what will run. */
import { literalCommand } from './pattern.ts'
import { programOf } from './shell/canonical.ts'
import { gitCall } from './shell/reads-git.ts'
import type { ShellPart } from './shell/understand.ts'

/** Their words are programs, scripts or addresses: a beginning of it says nothing. */
const launchers = new Set(
  (
    'sh bash zsh dash ksh ash fish rbash mksh csh tcsh pwsh powershell cmd node nodejs deno bun python python2 python3 pypy perl ruby irb ' +
    'php lua luajit R Rscript julia elixir erl iex ghci scala groovy jshell java kotlin swift osascript tclsh wish expect gdb lldb ' +
    'env sudo doas su runuser pkexec gosu exec command builtin nohup setsid timeout nice ionice chrt taskset stdbuf time unbuffer ' +
    'watch xargs parallel flock chroot unshare nsenter systemd-run strace ltrace script busybox toybox ssh scp sftp rsync nc ncat netcat ' +
    'socat telnet ftp curl wget http https aria2c npx pnpx bunx uvx pipx uv tsx ts-node make gmake cmake ninja just task rake gradle ' +
    'gradlew mvn ant bazel docker podman kubectl helm ansible terraform vim vi nvim emacs nano ed ex less more man awk gawk mawk sed find fd ' +
    'tar zip cpio eval source start open xdg-open at batch crontab tmux screen direnv entr poetry pipenv conda nix nix-shell'
  ).split(' '),
)
const destructive = new Set(
  'rm rmdir unlink shred dd truncate mkfs fdisk chmod chown chgrp chattr setfacl kill pkill killall mount umount reboot shutdown'.split(
    ' ',
  ),
)
/** Their second word says what they do. */
const withVerb = new Set(
  'git npm pnpm yarn cargo go dotnet gh pip pip3 brew apt apt-get dnf systemctl svn hg bundle composer mix flutter dart'.split(
    ' ',
  ),
)
const launchingVerb = /^(?:exec|x|dlx|run|run-script|create|init|explore|install-test|xfn|tool|alias|api|extension)$/

/** The exact text first. None for what is not understood, or is more than can be spelled out. */
export function commandOffers(command: string, parts: readonly ShellPart[]): string[] {
  if (parts.some(({ kind }) => kind === 'unknown') || command.length > 4000) return []
  const exact = literalCommand(command)
  const asking = parts.filter(({ kind }) => kind !== 'reads')
  const [only] = asking
  const prefix = only && asking.length === 1 && !only.layered && !only.set ? prefixOf(only) : null
  return prefix === null || prefix === exact ? [exact] : [exact, prefix]
}

function prefixOf({ argv, kind, allowed }: ShellPart): string | null {
  const [first, ...rest] = argv
  const name = programOf(first)
  if (name === null || first?.text !== name || !/^[\w.+-]+$/.test(name) || allowed.length < 2) return null
  if (launchers.has(name) || destructive.has(name) || /^(?:python|ruby|perl|php|lua)[\d.]+$/.test(name)) return null
  if (!withVerb.has(name)) return `${name} *`
  const verb = rest[0]?.text ?? null
  if (verb === null || !/^[a-z][\w:-]*$/.test(verb)) return null
  if (name === 'git')
    return gitCall(rest).changed === null && (kind !== 'moves-refs' || verb === 'commit') ? `git ${verb} *` : null
  if ((name === 'npm' || name === 'pnpm' || name === 'yarn') && /^run(?:-script)?$/.test(verb)) {
    const script = rest[1]?.text ?? ''
    return /^[\w:.-]+$/.test(script) && !script.startsWith('-') ? `${name} ${verb} ${script} *` : null
  }
  if (launchingVerb.test(verb) || (name === 'yarn' && verb === 'node')) return null
  return `${name} ${verb} *`
}
