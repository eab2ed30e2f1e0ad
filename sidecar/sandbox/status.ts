/** Whether this machine can jail a command: looked at by really jailing one, and said with what would mend it. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { JailStatus } from '#contract/sandbox'

const packages: readonly [RegExp, string][] = [
  [/\b(?:debian|ubuntu)\b/, 'sudo apt-get install bubblewrap socat'],
  [/\b(?:fedora|rhel|centos)\b/, 'sudo dnf install bubblewrap socat'],
  [/\barch\b/, 'sudo pacman -S bubblewrap socat'],
  [/\balpine\b/, 'sudo apk add bubblewrap socat'],
  [/\bsuse\b/, 'sudo zypper install bubblewrap socat'],
  [/\bnixos\b/, 'nix-env -iA nixos.bubblewrap nixos.socat'],
]

/** The command that installs what a jail needs, for the system that this text (`/etc/os-release`) names. */
export function installCommand(osRelease: string): string | null {
  const ids = [...osRelease.matchAll(/^ID(?:_LIKE)?="?([^"\n]*)"?$/gm)].map(([, id]) => id).join(' ')
  return packages.find(([system]) => system.test(ids))?.[1] ?? null
}

export const noJailHere = (platform: NodeJS.Platform): JailStatus => ({
  state: 'unsupported',
  errors: [
    `Belay has no jail for commands on ${platform === 'win32' ? 'Windows' : platform}. Each command runs only when you allow it, with all of your rights.`,
  ],
  install: null,
})

/** `probe` runs a command in the jail and says what it wrote to its standard error, or null where all went well. */
export async function linuxStatus(probe: () => Promise<string | null>): Promise<JailStatus> {
  const { checkLinuxDependencies } = await import('@anthropic-ai/sandbox-runtime/dist/sandbox/linux-sandbox-utils.js')
  const { errors, warnings } = checkLinuxDependencies()
  const lacks = [...errors, ...warnings]
  if (lacks.length > 0) {
    const install = installCommand(await readFile('/etc/os-release', 'utf8').catch(() => ''))
    return { state: 'missing', errors: lacks, install: errors.length > 0 ? install : null }
  }
  const fault = await probe()
  return fault === null ? { state: 'holds', errors: [], install: null } : refused(fault)
}

/** Seatbelt is part of macOS: nothing is to be installed. */
export async function macStatus(probe: () => Promise<string | null>): Promise<JailStatus> {
  const fault = await probe()
  if (fault === null) return { state: 'holds', errors: [], install: null }
  return {
    state: 'missing',
    errors: [`This system refuses to make a jail: ${fault.trim().slice(-500)}`],
    install: null,
  }
}

/** What a kernel says that lets nobody make a jail, and the words that change its mind. */
function refused(fault: string): JailStatus {
  const said = fault.trim().split('\n').slice(-3).join(' ')
  const isOn = (file: string, value: string): boolean => {
    try {
      return readFileSync(file, 'utf8').trim() === value
    } catch {
      return false
    }
  }
  const install = isOn('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1')
    ? 'sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
    : isOn('/proc/sys/kernel/unprivileged_userns_clone', '0')
      ? 'sudo sysctl -w kernel.unprivileged_userns_clone=1'
      : isOn('/proc/sys/user/max_user_namespaces', '0')
        ? 'sudo sysctl -w user.max_user_namespaces=10000'
        : null
  const words = `This system refuses to make a jail: ${said || 'no reason was given'}.`
  return { state: 'missing', errors: [words], install }
}

/** What a person and a model are told in place of a command's output. */
export function refusalOf({ state, errors, install }: JailStatus): string {
  const how = install ? ` To have one, run: ${install}` : ''
  const jail = state === 'unsupported' ? '' : `The jail for commands does not hold here: ${errors.join('; ')}.${how} `
  return `${jail || `${errors.join(' ')} `}Nothing was run. A command may run without the jail when the person allows that very command: set "unjailed": true.`
}
