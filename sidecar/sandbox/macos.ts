/**
 * A command's arguments for Seatbelt, the jail of macOS, as sandbox-runtime writes them. Rules there are patterns, so places
 * that do not exist need nothing to stand on, and names are held at every depth while a command runs. Written after the
 * library's source; it was not tried on a Mac.
 */
import { join } from 'node:path'
import { protectedNames, protectedPairs } from '../base/protected-places.ts'
import { type Backend, type Confinement, runCommand } from './linux.ts'

export const macBackend: Backend = {
  lends: 'port',
  needsPlaceholders: false,
  wrap: seatbelted,
  release: async () => {},
  // Seatbelt knows no filter of system calls: there, a command may still set such a bit on a file of its own.
  filter: () => null,
}

async function seatbelted(confinement: Confinement): Promise<[string, ...string[]]> {
  const { wrapCommandWithSandboxMacOS } = await import(
    '@anthropic-ai/sandbox-runtime/dist/sandbox/macos-sandbox-utils.js'
  )
  const { proxy, writable, emptyFile } = confinement
  if (!('port' in proxy)) throw new Error('A jail of macOS lends a port.')
  const line = wrapCommandWithSandboxMacOS({
    // The library points TMPDIR elsewhere; the shell sets ours again before anything else.
    command: `${exported(confinement.env)}; ${runCommand(confinement.shell)}`,
    commandId: 'command',
    needsNetworkRestriction: true,
    httpProxyPort: proxy.port,
    socksProxyPort: proxy.port,
    proxyAuthToken: proxy.token,
    readConfig: { denyOnly: [...confinement.hidden], allowWithinDeny: [] },
    writeConfig: {
      allowOnly: [...writable],
      denyWithinAllow: [...confinement.readOnly, ...writable.flatMap(namesIn)],
    },
    maskedFileBinds: confinement.masked.map(realPath => ({ realPath, fakePath: emptyFile })),
    binShell: confinement.shell,
  })
  return ['/bin/sh', '-c', `exec ${line}`]
}

/** Patterns only where the folder's own name is not one. `.git` is held by what git obeys in it. */
function namesIn(folder: string): string[] {
  if (/[*?[\]{}]/.test(folder)) return []
  const names = [...protectedNames].filter(name => name !== '.git')
  const inGit = ['config', 'config.worktree', 'hooks', 'commondir'].map(name => `.git/${name}`)
  return [...names, ...protectedPairs, ...inGit].map(name => join(folder, '**', name))
}

const exported = (env: Readonly<Record<string, string>>): string =>
  Object.entries(env)
    .filter(([name]) => /^(?:TMPDIR|CLAUDE_CODE_TMPDIR|XDG_CACHE_HOME|NO_PROXY|no_proxy)$/.test(name))
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'"'"'`)}'`)
    .join('; ')
