/** Reads one file's part of `git diff`, as bytes: what is not UTF-8 and every line end stay what they are. Pure. */
import type { GitDiff, GitHunk } from '#contract/git'

export interface RawLine {
  readonly kind: 'context' | 'added' | 'removed'
  /** With its line end, unless it is the last of a file that does not end in one. */
  readonly bytes: Buffer
}
export interface RawHunk extends Pick<GitHunk, 'oldStart' | 'oldLines' | 'newStart' | 'newLines' | 'heading'> {
  readonly lines: RawLine[]
}
export interface RawDiff extends Pick<GitDiff, 'kind' | 'change' | 'oldMode' | 'newMode'> {
  readonly hunks: RawHunk[]
}

const NEWLINE = 10
const kinds: Record<string, RawLine['kind']> = { ' ': 'context', '+': 'added', '-': 'removed' }

/** Of an empty output: nothing differs. Only the first file is read. */
export function parseDiff(output: Buffer): RawDiff {
  const header: string[] = []
  const hunks: RawHunk[] = []
  let at = 0
  const line = (): Buffer | null => {
    if (at >= output.length) return null
    const end = output.indexOf(NEWLINE, at)
    const bytes = output.subarray(at, end < 0 ? output.length : end + 1)
    at += bytes.length
    return bytes
  }
  for (let next = line(); next; next = line()) {
    const text = next.toString('latin1')
    const [, oldStart, oldLines = '1', newStart, newLines = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
    if (oldStart === undefined) {
      if (header.length > 0 && text.startsWith('diff --git ')) break
      if (hunks.length === 0) header.push(text.replace(/\n$/, ''))
      continue
    }
    const counts = { oldLines: Number(oldLines), newLines: Number(newLines) }
    const heading = next
      .toString('utf8')
      .replace(/^@@[^@]*@@ ?/, '')
      .replace(/\r?\n$/, '')
    const hunk = { oldStart: Number(oldStart), newStart: Number(newStart), ...counts, heading, lines: [] as RawLine[] }
    readLines(hunk, line, () => output[at] === 92)
    hunks.push(hunk)
  }
  return { ...factsOf(header, hunks), hunks }
}

/** The counts say how many lines there are: their text may look like anything. */
function readLines(hunk: RawHunk, line: () => Buffer | null, isUnended: () => boolean): void {
  let { oldLines, newLines } = hunk
  while (oldLines > 0 || newLines > 0) {
    const bytes = line()
    const kind = bytes && kinds[String.fromCharCode(bytes[0] ?? 0)]
    if (!bytes || !kind) throw new Error('a difference ends early')
    if (kind !== 'added') oldLines -= 1
    if (kind !== 'removed') newLines -= 1
    const unended = isUnended()
    // `\ No newline at end of file`
    if (unended) line()
    hunk.lines.push({ kind, bytes: bytes.subarray(1, unended ? bytes.length - 1 : bytes.length) })
  }
}

function factsOf(header: readonly string[], hunks: readonly RawHunk[]): Omit<RawDiff, 'hunks'> {
  const said = (pattern: RegExp) => header.map(text => pattern.exec(text)?.[1]).find(Boolean) ?? null
  const both = said(/^index \S+ (\d{6})$/)
  const added = said(/^new file mode (\d{6})$/)
  const deleted = said(/^deleted file mode (\d{6})$/)
  const oldMode = added ? null : (deleted ?? said(/^old mode (\d{6})$/) ?? both)
  const newMode = deleted ? null : (added ?? said(/^new mode (\d{6})$/) ?? both)
  const isBinary = header.some(text => /^(Binary files |GIT binary patch)/.test(text))
  const isSubmodule = oldMode === '160000' || newMode === '160000'
  const isSame = header.length === 0
  return {
    kind: isSame
      ? 'same'
      : isSubmodule
        ? 'submodule'
        : isBinary
          ? 'binary'
          : hunks.length > 0 || header.length > 1
            ? 'text'
            : 'same',
    change: added ? 'added' : deleted ? 'deleted' : 'modified',
    oldMode,
    newMode,
  }
}
