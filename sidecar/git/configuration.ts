/**
 * What a repository's own configuration would start, and what stands there instead. Promise: a program that the repository
 * names is never run for it; the person's own (of the account or the machine) is, where the verb needs one.
 */

/** One entry of `git config --list --show-scope`. Keys are lower case but for their middle part. */
export interface ConfigEntry {
  readonly scope: string
  readonly key: string
  readonly value: string
}

export function parseConfig(output: string): ConfigEntry[] {
  const parts = output.split('\0')
  const entries: ConfigEntry[] = []
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', pair = ''] = [parts[at], parts[at + 1]]
    const end = pair.indexOf('\n')
    entries.push({ scope, key: end < 0 ? pair : pair.slice(0, end), value: end < 0 ? 'true' : pair.slice(end + 1) })
  }
  return entries
}

/** Whether the repository brings it, rather than the person's account or the machine. */
const isBrought = ({ scope }: ConfigEntry): boolean => scope !== 'system' && scope !== 'global'

export type Setting = readonly [key: string, value: string]

const noHooks: Setting = ['core.hooksPath', process.platform === 'win32' ? 'NUL' : '/dev/null']

/** For every verb. An empty value is git's way of saying "none". */
const always: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', 'true'],
  ['sequence.editor', 'true'],
  ['core.askPass', ''],
  ['core.quotePath', 'false'],
  ['core.commentChar', '#'],
  ['color.ui', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['protocol.ext.allow', 'never'],
  ['log.showSignature', 'false'],
  // It would go on in the background after the verb has ended.
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
]

/** What looks only, needs none of these. */
const forReading: readonly Setting[] = [
  noHooks,
  ['core.sshCommand', 'false'],
  ['credential.helper', ''],
  ['gpg.program', 'false'],
]

/** Programs by their key, and git's usual one for where the person has none of their own. */
const usual: readonly (readonly [RegExp, string])[] = [
  [/^core\.sshcommand$/, 'ssh'],
  [/^core\.alternaterefscommand$/, 'true'],
  [/^gpg\.(openpgp\.)?program$/, 'gpg'],
  [/^gpg\.x509\.program$/, 'gpgsm'],
  [/^gpg\.ssh\.program$/, 'ssh-keygen'],
  [/^gpg\.ssh\.defaultkeycommand$/, 'false'],
  [/^remote\..*\.vcs$/s, ''],
]

/**
 * `read`: nothing runs. `index`: filters and merge drivers of a trusted repository run, for without them it would store other
 * bytes than it is meant to (or secrets in the open); no hooks. `person`: its hooks too, as in the person's own terminal.
 */
export type Manner = 'read' | 'index' | 'person'

export function settingsFor(manner: Manner, entries: readonly ConfigEntry[]): Setting[] {
  const brought = entries.filter(isBrought)
  if (manner === 'read') return [...always, ...forReading, ...withoutFilters(brought)]
  const own = (key: string) => entries.filter(entry => !isBrought(entry) && entry.key === key).at(-1)?.value
  const programs = [...new Set(brought.map(({ key }) => key))].flatMap((key): Setting[] => {
    const program = usual.find(([pattern]) => pattern.test(key))?.[1]
    return program === undefined ? [] : [[key, own(key) ?? program]]
  })
  const helpers = entries.filter(entry => !isBrought(entry) && /^credential\.(.*\.)?helper$/s.test(entry.key))
  return [
    ...always,
    ...(manner === 'index' ? [noHooks] : []),
    ...programs,
    // The empty one forgets all before it, the person's too, so those follow again.
    ['credential.helper', ''],
    ...helpers.map(({ key, value }): Setting => [key, value]),
  ]
}

/**
 * Whether the repository names what runs at the other end, which for a folder of this machine is here. Of this setting git takes
 * the first it finds, so that only an argument of the verb stands above it.
 */
export const namesOtherEnd = (entries: readonly ConfigEntry[]): boolean =>
  entries.some(entry => isBrought(entry) && /^remote\..*\.(uploadpack|receivepack)$/s.test(entry.key))

/** The filters that the repository itself brings; those of the person's own configuration (LFS) are left alone. */
export const broughtFilters = (entries: readonly ConfigEntry[]): string[] => [
  ...new Set(
    entries
      .filter(isBrought)
      .flatMap(({ key }) => (/^filter\..*\.(clean|smudge|process|required)$/s.test(key) ? [filterOf(key)] : [])),
  ),
]
const filterOf = (key: string): string => key.slice('filter.'.length, key.lastIndexOf('.'))

const withoutFilters = (brought: readonly ConfigEntry[]): Setting[] =>
  broughtFilters(brought).flatMap((name): Setting[] => [
    ...['clean', 'smudge', 'process'].map((verb): Setting => [`filter.${name}.${verb}`, '']),
    [`filter.${name}.required`, 'false'],
  ])

/** By environment, since `-c` cannot name what has `=` in its name. */
export const settingsEnvironment = (settings: readonly Setting[]): Record<string, string> =>
  Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ])
