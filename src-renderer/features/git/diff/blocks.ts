/** A difference as blocks of changed lines, and which lines a selection takes. Pure. Lines of files count from 1. */
import type { GitDiff } from '#contract/git'

interface Changed {
  /** As `stageLines` names it. */
  readonly number: number
  /** In its own file: old for what was removed, new for what was added. */
  readonly line: number
}

export interface Block {
  readonly removed: readonly Changed[]
  readonly added: readonly Changed[]
  /** Where it shows on the new side: its first added line, or the line that stands where some were removed. */
  readonly newLine: number
  readonly oldLine: number
}

export function blocksOf({ hunks }: Pick<GitDiff, 'hunks'>): Block[] {
  const blocks: Block[] = []
  for (const hunk of hunks) {
    // A side without lines is named by the line before it.
    let oldLine = hunk.oldLines === 0 ? hunk.oldStart + 1 : hunk.oldStart
    let newLine = hunk.newLines === 0 ? hunk.newStart + 1 : hunk.newStart
    let open: { removed: Changed[]; added: Changed[]; newLine: number; oldLine: number } | null = null
    hunk.lines.forEach(({ kind }, at) => {
      if (kind === 'context') {
        open = null
        oldLine++
        newLine++
        return
      }
      if (!open) {
        open = { removed: [], added: [], newLine, oldLine }
        blocks.push(open)
      }
      const number = hunk.firstLine + at
      if (kind === 'removed') open.removed.push({ number, line: oldLine++ })
      else open.added.push({ number, line: newLine++ })
    })
  }
  return blocks
}

export const linesOf = ({ removed, added }: Block): number[] => [...removed, ...added].map(({ number }) => number)

export interface Span {
  readonly side: 'old' | 'new'
  /** Inclusive. */
  readonly from: number
  readonly to: number
}

/** The lines that a selection takes. On the new side a changed line goes with the one it replaces; on the old side alone. */
export function linesIn(blocks: readonly Block[], { side, from, to }: Span): number[] {
  const inside = ({ line }: Changed) => line >= from && line <= to
  return blocks.flatMap(block => {
    const { removed, added } = block
    if (side === 'old') return removed.filter(inside).map(({ number }) => number)
    if (added.length === 0) return from <= block.newLine && to >= block.newLine - 1 ? linesOf(block) : []
    const taken = added.flatMap((each, at) => (inside(each) ? [at] : []))
    const last = added.length - 1
    const gone = removed.filter((_, at) => taken.includes(Math.min(at, last)))
    return [...gone.map(({ number }) => number), ...taken.map(at => added[at]?.number ?? 0)]
  })
}

/** The block at a line, or right beside it. */
export function blockAt(blocks: readonly Block[], side: Span['side'], line: number): Block | null {
  const distance = (block: Block): number => {
    const lines = side === 'old' ? block.removed : block.added
    const first = lines[0]?.line ?? (side === 'old' ? block.oldLine : block.newLine)
    const last = lines.at(-1)?.line ?? first
    return line < first ? first - line : Math.max(0, line - last)
  }
  return blocks.filter(block => distance(block) <= 1).sort((a, b) => distance(a) - distance(b))[0] ?? null
}
