/**
 * Whether a repository's own settings make a git command that reads run a program (fsmonitor, filters, textconv, external diff,
 * gpg). What a person set for themselves is not looked at; what cannot be followed counts as running something.
 */
import { readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

const MAX_BYTES = 1_000_000
const MAX_MODULES = 50

/** `section.key` in lower case, without what stands in quotes between. A boolean starts nothing. */
const running =
  /^(?:core\.(?:fsmonitor|sshcommand|gitproxy|alternaterefscommand|attributesfile|worktree)|diff\.(?:external|textconv|command)|filter\.(?:clean|smudge|process)|gpg\.program|gpg\.x509\.program|interactive\.difffilter|pager\..*|core\.pager|include\.path|includeif\.path|log\.showsignature|trace2\..*|core\.hookspath|sequence\.editor|extensions\.worktreeconfig|extensions\.partialclone|remote\.promisor|remote\.uploadpack)$/
const harmlessValue = /^(?:true|false|yes|no|on|off|0|1|)$/i

/** What would run, in words; null where nothing would. `folder`: absolute. */
export async function gitRuns(folder: string): Promise<string | null> {
  let at = folder
  for (let i = 0; i < 100; i++) {
    const dotGit = join(at, '.git')
    const kind = await stat(dotGit).catch(() => null)
    if (kind?.isDirectory()) return ofRepository(dotGit)
    if (kind?.isFile()) return ofLink(dotGit)
    if (await isBare(at)) return 'a repository without a work tree lies in the folder'
    const above = dirname(at)
    if (above === at) return null
    at = above
  }
  return 'its repository lies too deep'
}

const exists = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) !== null

const isBare = async (at: string): Promise<boolean> =>
  (await Promise.all([exists(join(at, 'HEAD')), exists(join(at, 'objects')), exists(join(at, 'refs'))])).every(Boolean)

/** A work tree of its own, or a submodule: the file names where its repository is. */
async function ofLink(file: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const named = /^gitdir: (.+?)\s*$/m.exec(text.slice(0, 10_000))?.[1]
  if (!named) return 'its repository cannot be followed'
  const at = resolve(dirname(file), named)
  const common = await readFile(join(at, 'commondir'), 'utf8').then(
    each => resolve(at, each.trim()),
    () => at,
  )
  return (await inConfig(join(at, 'config.worktree'))) ?? ofRepository(common)
}

async function ofRepository(gitDir: string): Promise<string | null> {
  const own = (await inConfig(join(gitDir, 'config'))) ?? (await inConfig(join(gitDir, 'config.worktree')))
  if (own !== null) return own
  const configs = await moduleConfigs(join(gitDir, 'modules'), 4)
  if (configs.length > MAX_MODULES) return 'it has too many submodules to look into'
  for (const config of configs) {
    const found = await inConfig(config, true)
    if (found !== null) return found
  }
  return null
}

async function moduleConfigs(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return []
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries.slice(0, 200)) {
    if (!entry.isDirectory()) continue
    const at = join(folder, entry.name)
    if (await exists(join(at, 'config'))) found.push(join(at, 'config'))
    else found.push(...(await moduleConfigs(at, depth - 1)))
    if (found.length > MAX_MODULES) break
  }
  return found
}

async function inConfig(file: string, ofModule = false): Promise<string | null> {
  const facts = await stat(file).catch(() => null)
  if (!facts) return null
  if (facts.size > MAX_BYTES) return 'its settings are too large to look into'
  const text = await readFile(file, 'utf8').catch(() => null)
  if (text === null) return 'its settings cannot be read'
  return inText(text, ofModule)
}

/** Without its lines that go on, which only make values longer. */
function inText(text: string, ofModule: boolean): string | null {
  let section = ''
  for (const line of text.replace(/\\\r?\n/g, '').split(/\r?\n|\r/)) {
    let rest = line.trim()
    const header = /^\[\s*([\w.-]+)(?:\s*"(?:\\.|[^"\\])*")?\s*\]/.exec(rest)
    if (header) {
      section = (header[1] ?? '').toLowerCase()
      rest = rest.slice(header[0].length).trim()
    } else if (rest.startsWith('[')) return 'its settings cannot be read'
    const [, name, value = ''] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/s.exec(rest) ?? []
    if (!name) continue
    const key = `${section}.${name.toLowerCase()}`
    // A submodule's settings name its work tree.
    if (ofModule && key === 'core.worktree') continue
    const plain = value.replace(/\s*[#;].*$/, '').trim()
    if (running.test(key) && !harmlessValue.test(plain)) return `the repository's settings have ${key}`
    if (
      running.test(key) &&
      key.startsWith('extensions.') &&
      /^(?:true|yes|on|1|)$/i.test(plain) &&
      key !== 'extensions.worktreeconfig'
    )
      return `the repository's settings have ${key}`
  }
  return null
}
