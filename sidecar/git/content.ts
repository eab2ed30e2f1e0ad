/** Files as git has them: a text at one side, the difference of two. */
import { createHash } from 'node:crypto'
import { toFault } from '#contract/error'
import type { GitDiff, GitText } from '#contract/git'
import { parseDiff, type RawDiff } from './parse-diff.ts'
import type { Repository } from './repository.ts'
import { contentOf, diffOutput, type SideContent } from './sides.ts'
import type { GitHandlers, Verbs } from './verbs.ts'

export const contentHandlers = (verbs: Verbs): Pick<GitHandlers, 'headText' | 'text' | 'diff'> => ({
  async headText({ workspaceId, path: { rootId, path } }) {
    try {
      const repository = await verbs.read({ workspaceId, rootId, inside: '' })
      const found = textOf(await contentOf(repository, await repository.toName(path), 'head'))
      return { text: found.kind === 'text' || found.kind === 'lfs' ? found.text : null }
    } catch (thrown) {
      if (['untrusted', 'not_found', 'unsupported'].includes(toFault(thrown).code)) return { text: null }
      throw thrown
    }
  },
  async text({ path, at, ...here }) {
    const repository = await verbs.read(here)
    return textOf(await contentOf(repository, await repository.toName(path), at))
  },
  async diff({ path, oldPath, from, to, ...here }) {
    const repository = await verbs.read(here)
    const oldName = oldPath === undefined ? undefined : await repository.toName(oldPath)
    const { diff, token } = await readDiff(repository, { name: await repository.toName(path), oldName, from, to })
    return shownDiff(diff, token)
  },
})

export interface ReadDiff {
  readonly diff: RawDiff
  readonly token: string
}

/** With the token that names exactly this difference. */
export async function readDiff(repository: Repository, sides: Parameters<typeof diffOutput>[1]): Promise<ReadDiff> {
  const { output, cut } = await diffOutput(repository, sides)
  const token = createHash('sha256').update(output).digest('hex')
  if (!cut) return { diff: parseDiff(output), token }
  const header = output.subarray(0, Math.max(0, output.indexOf('\n@@ ')) + 1)
  return { diff: { ...parseDiff(header), kind: 'tooLarge', hunks: [] }, token }
}

function shownDiff(diff: RawDiff, token: string): GitDiff {
  let firstLine = 0
  const hunks = diff.hunks.map(({ lines, ...hunk }) => {
    const first = firstLine
    firstLine += lines.length
    return {
      ...hunk,
      firstLine: first,
      lines: lines.map(({ kind, bytes }) => {
        const isEnded = bytes[bytes.length - 1] === 10
        const text = bytes.toString('utf8', 0, isEnded ? bytes.length - 1 : bytes.length)
        return isEnded ? { kind, text } : { kind, text, unended: true as const }
      }),
    }
  })
  return { ...diff, token, hunks }
}

const LFS = 'version https://git-lfs.github.com/spec/v1\n'
/** As git looks for it. */
const BINARY_WITHIN = 8000

export function textOf(content: SideContent): GitText {
  if (content.kind !== 'bytes') return content
  const { bytes } = content
  if (bytes.subarray(0, BINARY_WITHIN).includes(0)) return { kind: 'binary', bytes: bytes.length }
  const text = bytes.toString('utf8')
  if (text.startsWith(LFS) && bytes.length < 1024)
    return { kind: 'lfs', text, bytes: Number(/^size (\d+)$/m.exec(text)?.[1] ?? 0) }
  return { kind: 'text', text, exact: Buffer.from(text).equals(bytes) }
}
