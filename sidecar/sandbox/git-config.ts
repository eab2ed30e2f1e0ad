/** Whether a git configuration starts no program: the one that `git init` and `git clone` write, and nothing cleverer. */

const sections: readonly [RegExp, ReadonlySet<string>][] = [
  [
    /^core$/,
    new Set([
      ...[
        'repositoryformatversion',
        'filemode',
        'bare',
        'logallrefupdates',
        'ignorecase',
        'precomposeunicode',
        'symlinks',
      ],
      ...['autocrlf', 'eol', 'safecrlf', 'longpaths', 'compression', 'abbrev', 'quotepath', 'sparsecheckout'],
    ]),
  ],
  [/^extensions$/, new Set(['objectformat', 'refstorage', 'partialclone'])],
  [/^remote "[^"\\]*"$/, new Set(['url', 'fetch', 'promisor', 'partialclonefilter', 'tagopt', 'mirror', 'prune'])],
  [/^branch "[^"\\]*"$/, new Set(['remote', 'merge', 'rebase', 'description'])],
  [/^submodule(?: "[^"\\]*")?$/, new Set(['active', 'url'])],
  [/^user$/, new Set(['name', 'email'])],
  [/^init$/, new Set(['defaultbranch'])],
  [/^pull$/, new Set(['rebase', 'ff'])],
  [/^push$/, new Set(['default', 'autosetupremote'])],
]

/** `ext::` and its like run a command; a leading dash is an option; a plain `host:path` is ssh. */
const plainAddress = /^(?:(?:https?|ssh|git|file):\/\/[^\s]*|(?!-)[\w.@~/+-]+(?::(?!:)[^\s]*)?)$/

/** A line that is not understood makes it harmful: continued lines, quotes, includes. */
export function isHarmlessGitConfig(text: string): boolean {
  let allowed: ReadonlySet<string> | undefined
  for (const line of text.split(/\r?\n/).map(each => each.trim())) {
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue
    const section = /^\[([^\]]+)\]$/.exec(line)?.[1]
    if (section !== undefined) {
      const [name = '', rest] = section.split(/ (.*)/s)
      const known = name.toLowerCase() + (rest === undefined ? '' : ` ${rest}`)
      allowed = sections.find(([pattern]) => pattern.test(known))?.[1]
      if (!allowed) return false
      continue
    }
    const [, key = '', value = ''] = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line) ?? []
    if (!allowed?.has(key.toLowerCase()) || value.endsWith('\\')) return false
    if (key.toLowerCase() === 'url' && !plainAddress.test(value)) return false
  }
  return true
}
