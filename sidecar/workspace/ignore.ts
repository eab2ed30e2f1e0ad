/** One rule set for what is dimmed, searched and watched: the names of left-out.ts and the chain of .gitignore files, read as git reads them. */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import ignore, { type Ignore } from 'ignore'
import type { LeftOut } from './left-out.ts'
import { relativeBelow } from './paths.ts'

/** Only folders that have rules. */
interface Level {
  /** With a separator at its end. */
  readonly start: string
  readonly rules: Ignore
}
interface Chain {
  readonly levels: readonly Level[]
  /** The folder itself is left out, so everything in it is. */
  readonly ignored: boolean
  readonly until: number
}

export interface IgnoreRules {
  /** For entries of one folder (absolute), in the order given. Never rejects: unreadable rules count as none. */
  mark(folder: string, entries: readonly { name: string; isFolder: boolean }[]): Promise<boolean[]>
  ignored(absolute: string, isFolder: boolean): Promise<boolean>
  /** A .gitignore changed: look at all of them again. */
  forget(): void
}

/** How long a folder's chain is believed without looking at its files again. */
const TRUSTED_MS = 1000

export function createIgnoreRules(root: string, leftOut: LeftOut): IgnoreRules {
  const files = new Map<string, { stamp: string; rules: Ignore | null }>()
  const chains = new Map<string, Chain>()
  let top: Promise<string> | null = null

  const rulesIn = async (folder: string): Promise<Ignore | null> => {
    const named = [
      join(folder, '.gitignore'),
      ...(folder === (await top) ? [join(folder, '.git', 'info', 'exclude')] : []),
    ]
    const stamps = await Promise.all(
      named.map(file =>
        stat(file).then(
          s => `${s.mtimeMs}:${s.size}`,
          () => '',
        ),
      ),
    )
    const stamp = stamps.join('|')
    const known = files.get(folder)
    if (known?.stamp === stamp) return known.rules
    const texts = await Promise.all(named.map((file, at) => (stamps[at] ? readFile(file, 'utf8').catch(() => '') : '')))
    const text = texts.reverse().join('\n')
    const rules = text.trim() === '' ? null : ignore().add(text)
    files.set(folder, { stamp, rules })
    return rules
  }

  const chainOf = async (folder: string): Promise<Chain> => {
    const known = chains.get(folder)
    if (known && known.until > Date.now()) return known
    top ??= topOf(root)
    const above =
      folder === (await top) || relativeBelow(await top, folder) === null ? null : await chainOf(dirname(folder))
    const rules = await rulesIn(folder)
    const levels = [
      ...(above?.levels ?? []),
      ...(rules ? [{ start: folder.endsWith(sep) ? folder : folder + sep, rules }] : []),
    ]
    const ignored = above !== null && (above.ignored || judged(above.levels, folder, true))
    const chain = { levels, ignored, until: Date.now() + TRUSTED_MS }
    if (chains.size > 20_000) chains.clear()
    chains.set(folder, chain)
    return chain
  }

  return {
    async mark(folder, entries) {
      const chain = await chainOf(folder)
      const ignored = chain.ignored || leftOut.isUnwatched(relativeBelow(root, folder) ?? '')
      if (ignored || chain.levels.length === 0) return entries.map(({ name }) => ignored || leftOut.heavy.has(name))
      const marks: boolean[] = []
      for (const { name, isFolder } of entries) {
        marks.push(leftOut.heavy.has(name) || judged(chain.levels, join(folder, name), isFolder))
        if (marks.length % 1000 === 0) await breathe()
      }
      return marks
    },
    async ignored(absolute, isFolder) {
      const below = relativeBelow(root, absolute)
      if (below === null || below === '') return false
      if (leftOut.isUnwatched(below)) return true
      const chain = await chainOf(dirname(absolute))
      return chain.ignored || judged(chain.levels, absolute, isFolder)
    },
    forget: () => chains.clear(),
  }
}

/** The deepest file that says something decides. */
function judged(levels: readonly Level[], absolute: string, isFolder: boolean): boolean {
  for (let at = levels.length - 1; at >= 0; at--) {
    const level = levels[at]
    if (!level) continue
    const inside = absolute.slice(level.start.length)
    const below = sep === '/' ? inside : inside.split(sep).join('/')
    const verdict = level.rules.test(isFolder ? `${below}/` : below)
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}

/** The repository's top when the root lies inside one, else the root. Looks only for the name `.git`; runs nothing. */
async function topOf(root: string): Promise<string> {
  for (let at = root; ; at = dirname(at)) {
    if (
      await stat(join(at, '.git')).then(
        () => true,
        () => false,
      )
    )
      return at
    if (dirname(at) === at) return root
  }
}
