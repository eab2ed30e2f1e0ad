/** `belay sandbox`: prints the policy that holds for commands in a folder. Exit 1 where the jail does not hold, 2 for a wrong word. */
import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { JailPolicy, JailStatus, SetAside } from '#contract/sandbox'
import { foldersOf } from '../base/folders.ts'
import { createLog } from '../base/log.ts'
import { createCore } from '../core.ts'
import { openProfile } from '../supervise/profile/open-profile.ts'
import { version } from './version.ts'

export async function main(args: string[]): Promise<number> {
  const folder = folderOf(args)
  if ('problem' in folder) {
    process.stderr.write(`belay sandbox: ${folder.problem}\nUsage: belay sandbox [--cwd folder]\n`)
    return 2
  }
  const folders = foldersOf()
  await openProfile(folders, version)
  const core = await createCore({
    ...{ folders, log: createLog('sandbox'), env: process.env, version, supervisor: null },
    instanceId: `sandbox-${process.pid}`,
    epoch: randomBytes(8).toString('hex'),
    ticketKey: randomBytes(32),
    ledger: { add: () => {}, remove: () => {} },
  })
  try {
    const { workspaceId } = await core.openFolder(folder.cwd)
    const asked = { clientId: 'sandbox', signal: new AbortController().signal }
    const { sandbox } = core.service.handlers
    const status = await sandbox.status({}, asked)
    const { places } = await sandbox.setAside({ workspaceId }, asked)
    const lines = [printed(status, await sandbox.policy({ workspaceId }, asked)), ...waiting(places)]
    process.stdout.write(`${lines.join('\n')}\n`)
    return status.state === 'holds' ? 0 : 1
  } finally {
    await core.dispose()
  }
}

function folderOf(args: string[]): { cwd: string } | { problem: string } {
  try {
    const { values } = parseArgs({ args, options: { cwd: { type: 'string' } } })
    return { cwd: resolve(values.cwd ?? '.') }
  } catch (fault) {
    return { problem: (fault as Error).message }
  }
}

export function printed({ state, errors, install }: JailStatus, policy: JailPolicy): string {
  const holds = { holds: 'The jail holds.', missing: 'The jail does not hold:', unsupported: 'There is no jail here:' }
  // A policy that nothing holds would only be taken for one that holds.
  if (state === 'unsupported') return [holds[state], ...errors].join(' ')
  const part = (title: string, lines: readonly string[]) => ['', `${title}:`, ...lines.map(line => `  ${shown(line)}`)]
  return [
    [holds[state], ...errors].join(' '),
    ...(install ? [`To have it, run: ${install}`] : []),
    ...part('Commands write in', policy.writable),
    ...part('but not in', policy.readOnly),
    ...part('nor, wherever they are or come to be, to', [policy.protectedNames.join(' ')]),
    ...part('They cannot read', policy.hidden),
    ...part('They read as empty, unless a command may see them', [policy.maskedNames.join(' ')]),
    ...part('Hosts that are reached', policy.hosts.allow.length > 0 ? policy.hosts.allow : ['(none without asking)']),
    ...part('Hosts that are not', policy.hosts.deny.length > 0 ? policy.hosts.deny : ['(none by rule)']),
    ...part('They see of the environment', [policy.environment.join(' ')]),
  ].join('\n')
}

/** Where each stood, and where it lies now: for who has no window to put it back. */
const waiting = (places: readonly Pick<SetAside, 'path' | 'kept'>[]): string[] =>
  places.length === 0
    ? []
    : [
        '',
        'Set aside after commands, to be put back in a window:',
        ...places.map(({ path, kept }) => `  ${shown(path)} (now ${shown(kept)})`),
      ]

/** Names of files are whatever somebody chose: nothing of them steers a terminal. */
const shown = (text: string): string =>
  text.replace(/\p{C}/gu, sign => `\\u{${sign.codePointAt(0)?.toString(16) ?? ''}}`)
