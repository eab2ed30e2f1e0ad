/**
 * The Markdown files of a folder of agents, read with care, for the folder may be a stranger's: dot files are passed over,
 * links do not lead out, pipes and giants are not read. What did not change is not parsed again.
 */
import { createHash } from 'node:crypto'
import { constants, type Dirent } from 'node:fs'
import { open, readdir, realpath } from 'node:fs/promises'
import { basename, join, sep } from 'node:path'
import { toFault } from '#contract/error'
import { type ParsedAgent, parseAgent } from './definition.ts'

/** `agents/a.md`, `agents/x/a.md`, `agents/x/y/a.md`. */
const MAX_DEPTH = 3
const MAX_FILES = 200
export const MAX_AGENT_BYTES = 200_000

export interface AgentPlace {
  readonly scope: 'user' | 'workspace'
  /** Absolute; may be missing. */
  readonly folder: string
  /** A real path that the folder must lie in; null: it may be a link to anywhere. */
  readonly within: string | null
  readonly readOnly: boolean
}

export interface AgentFile {
  readonly file: string
  /** Without `.md`. */
  readonly fileName: string
  readonly parsed: ParsedAgent
}

export interface Scanner {
  /** In the order of their paths. Never rejects: what cannot be read is a file that is no agent. */
  scan(place: AgentPlace, toolNames: readonly string[]): Promise<AgentFile[]>
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export function createScanner(): Scanner {
  const known = new Map<string, { key: string; parsed: ParsedAgent }>()

  const read = async (file: string, real: string, scope: AgentPlace['scope'], toolNames: readonly string[]) => {
    const fileName = nameOf(file)
    try {
      const bytes = await readSmall(real)
      const key = `${hashOf(bytes)} ${scope} ${toolNames.join()}`
      const before = known.get(file)
      if (before?.key === key) return before.parsed
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
      const parsed = await parseAgent(text, { fileName, scope, toolNames })
      known.set(file, { key, parsed })
      return parsed
    } catch (thrown) {
      known.delete(file)
      const undecodable = thrown instanceof TypeError
      return broken(fileName, undecodable ? 'The file is not UTF-8 text.' : toFault(thrown).message)
    }
  }

  return {
    async scan({ scope, folder, within }, toolNames) {
      const base = await realpath(folder).catch(() => null)
      if (base === null) return []
      if (within !== null && !isInside(base, within)) return [outside(folder)]
      const found = (await walk(folder, 1)).sort((a, b) => (a < b ? -1 : 1))
      const files = await Promise.all(
        found.slice(0, MAX_FILES).map(async (file): Promise<AgentFile> => {
          const real = await realpath(file).catch(() => file)
          if (!isInside(real, base)) return outside(file)
          return { file, fileName: nameOf(file), parsed: await read(file, real, scope, toolNames) }
        }),
      )
      const [tooMany] = found.slice(MAX_FILES)
      if (tooMany === undefined) return files
      const message = `There are more than ${MAX_FILES} files here; from this one on none was read.`
      return [...files, { file: tooMany, fileName: nameOf(tooMany), parsed: broken(nameOf(tooMany), message) }]
    },
  }
}

const nameOf = (file: string): string => basename(file).replace(/\.md$/i, '')

const broken = (name: string, message: string): ParsedAgent => ({ ok: false, line: 1, message, name })

const outside = (file: string): AgentFile => ({
  file,
  fileName: nameOf(file),
  parsed: broken(nameOf(file), 'This is a link that leads out of its folder. It was passed over.'),
})

export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)

async function walk(folder: string, depth: number): Promise<string[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map(async entry => {
      if (entry.name.startsWith('.')) return []
      const at = join(folder, entry.name)
      if (entry.isDirectory()) return depth < MAX_DEPTH ? walk(at, depth + 1) : []
      return /\.md$/i.test(entry.name) ? [at] : []
    }),
  )
  return found.flat()
}

/** Opened without waiting for a writer, should it be a pipe. */
export async function readSmall(file: string): Promise<Buffer> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const facts = await handle.stat()
    if (!facts.isFile()) throw new Error('This is no file.')
    if (facts.size > MAX_AGENT_BYTES)
      throw new Error(`The file is larger than ${MAX_AGENT_BYTES.toLocaleString('en')} bytes and was not read.`)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
