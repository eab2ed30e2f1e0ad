import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from './any-text.case.ts'
import { applied, reverted, splitLines } from './line-patch.ts'
import { parseDiff, type RawHunk } from './parse-diff.ts'

const diff = (body: string) =>
  parseDiff(Buffer.from(`diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${body}`)).hunks
const take = (old: string, body: string, ...lines: number[]) =>
  applied(Buffer.from(old), diff(body), new Set(lines)).toString()
const leave = (now: string, body: string, ...lines: number[]) =>
  reverted(Buffer.from(now), diff(body), new Set(lines)).toString()

describe('lines of a difference', () => {
  const body = '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n@@ -10 +10,2 @@\n j\n+k\n'
  const old = 'a\nb\nc\n4\n5\n6\n7\n8\n9\nj\nend'
  const now = 'a\nB\nc\n4\n5\n6\n7\n8\n9\nj\nk\nend'

  it('all make the new text, none the old one, and the other way round', () => {
    expect(take(old, body, 1, 2, 5)).toBe(now)
    expect(take(old, body)).toBe(old)
    expect(leave(now, body, 1, 2, 5)).toBe(old)
    expect(leave(now, body)).toBe(now)
  })

  it('some leave the rest; context lines count for nothing', () => {
    expect(take(old, body, 0, 2, 3)).toBe('a\nb\nB\nc\n4\n5\n6\n7\n8\n9\nj\nend')
    expect(take(old, body, 1)).toBe('a\nc\n4\n5\n6\n7\n8\n9\nj\nend')
    expect(leave(now, body, 2)).toBe('a\nc\n4\n5\n6\n7\n8\n9\nj\nk\nend')
    expect(leave(now, body, 1)).toBe('a\nb\nB\nc\n4\n5\n6\n7\n8\n9\nj\nk\nend')
  })

  it('a last line without an end gets one where it is the last no more', () => {
    const tail = '@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n\\ No newline at end of file\n'
    expect(take('a', tail, 0, 1, 2)).toBe('a\nb')
    expect(take('a', tail, 2)).toBe('a\nb')
    expect(take('a', tail, 1)).toBe('a\na\n')
    expect(leave('a\nb', tail, 2)).toBe('a\n')
  })

  it('a hunk of pure insertion stands after the line that it names', () => {
    expect(take('1\n2\n', '@@ -1,0 +2 @@\n+x\n', 0)).toBe('1\nx\n2\n')
    expect(take('', '@@ -0,0 +1,2 @@\n+x\n+y\n', 1)).toBe('y\n')
    expect(leave('x\ny\n', '@@ -0,0 +1,2 @@\n+x\n+y\n', 0)).toBe('y\n')
  })

  it('text that looks like a difference is text', () => {
    expect(take('--- a\n', '@@ -1 +1,2 @@\n --- a\n+@@ -1 +1 @@\n', 1)).toBe('--- a\n@@ -1 +1 @@\n')
  })

  it('of bytes splits at line feeds alone', () => {
    expect(splitLines(Buffer.from('a\r\nb\rc\n\nd')).map(String)).toEqual(['a\r\n', 'b\rc\n', '\n', 'd'])
  })
})

describe('any choice of lines', () => {
  it('is what `git apply` makes of it; all is the new text, none the old one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'belay-lines-'))
    const [before, after] = [join(folder, 'f'), join(folder, 'now')]
    const env = { PATH: process.env.PATH, GIT_CEILING_DIRECTORIES: tmpdir(), HOME: folder }
    const property = fc.property(anyText, anyText, fc.infiniteStream(fc.boolean()), (old, now, coin) => {
      writeFileSync(before, old)
      writeFileSync(after, now)
      const args = ['diff', '--no-index', '--diff-algorithm=histogram', 'f', 'now']
      const { hunks } = parseDiff(spawnSync('git', args, { cwd: folder, env, timeout: 10_000 }).stdout)
      const every = new Set(hunks.flatMap(hunk => hunk.lines).keys())
      expect(applied(old, hunks, every)).toEqual(now)
      expect(applied(old, hunks, new Set())).toEqual(old)
      expect(reverted(now, hunks, every)).toEqual(old)
      expect(reverted(now, hunks, new Set())).toEqual(now)
      const chosen = new Set([...every].filter(() => coin.next().value))
      const patch = patchOf(hunks, chosen)
      if (!patch) return
      const apply = ['apply', '--recount', '--whitespace=nowarn', '-']
      execFileSync('git', apply, { cwd: folder, env, input: patch, stdio: 'pipe', timeout: 10_000 })
      expect(applied(old, hunks, chosen)).toEqual(readFileSync(before))
    })
    try {
      fc.assert(property, { numRuns: 60 })
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)

  /** Null where nothing is left to apply, or where a last line without an end makes it another question. */
  function patchOf(hunks: readonly RawHunk[], chosen: ReadonlySet<number>): Buffer | null {
    if (hunks.some(hunk => hunk.lines.some(({ bytes }) => bytes[bytes.length - 1] !== 10))) return null
    let number = -1
    let changes = 0
    const parts = hunks.flatMap(hunk => {
      const lines = hunk.lines.flatMap(({ kind, bytes }) => {
        number += 1
        const isChosen = chosen.has(number)
        if (kind !== 'context' && isChosen) changes += 1
        if (kind === 'added') return isChosen ? [Buffer.from('+'), bytes] : []
        return [Buffer.from(kind === 'removed' && isChosen ? '-' : ' '), bytes]
      })
      const { oldStart, oldLines, newStart, newLines } = hunk
      const kept = lines.some((part, at) => at % 2 === 0 && part.toString() !== ' ')
      return kept ? [Buffer.from(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n`), ...lines] : []
    })
    return changes === 0 ? null : Buffer.concat([Buffer.from('--- a/f\n+++ b/f\n'), ...parts])
  }
})
