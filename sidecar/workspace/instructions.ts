/** What a trusted folder tells an agent: AGENTS.md or CLAUDE.md at the top of a root. Its words are the repository's, not the person's. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Root } from '#contract/workspace'

/** Bytes of one file that are read; more is cut. */
const MAX_BYTES = 32 * 1024
/** The first of them that exists in a root counts. */
const names = ['AGENTS.md', 'CLAUDE.md']

/** Never rejects: what cannot be read is not told. */
export async function readInstructions(roots: readonly Root[]): Promise<{ path: string; text: string }[]> {
  const found = await Promise.all(
    roots.map(async root => {
      for (const name of names) {
        const text = await headOf(join(root.absolute, name))
        if (text) return [{ path: name, text }]
      }
      return []
    }),
  )
  return found.flat()
}

async function headOf(file: string): Promise<string> {
  try {
    // Asked before opening: a pipe of that name would wait for a writer.
    if (!(await stat(file)).isFile()) return ''
    const handle = await open(file, 'r')
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
      return buffer.subarray(0, bytesRead).toString('utf8')
    } finally {
      await handle.close()
    }
  } catch {
    return ''
  }
}
