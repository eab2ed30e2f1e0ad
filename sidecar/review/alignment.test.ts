import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedSpans, linesOf } from '../base/line-diff.ts'
import {
  type Alignment,
  accepted,
  alignedWith,
  baseLines,
  type Hunk,
  hunksOf,
  nowLines,
  takenBack,
  type Writer,
  written,
} from './alignment.ts'

/** Few words, so that lines repeat; every kind of line end, and none at the end. */
const word = fc.constantFrom('', 'a', 'b', '  b', '}', 'é', '𝒳y', '你好', 'a\u0301')
const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')
const text = fc
  .tuple(fc.array(fc.tuple(word, end), { maxLength: 14 }), word)
  .map(([lines, last]) => lines.map(([words, lineEnd]) => words + lineEnd).join('') + last)
const writer = fc.constantFrom<Writer>('agent trn_1', 'agent trn_2', 'you', 'outside')
const chain = fc.record({
  base: text,
  steps: fc.array(fc.record({ text, by: writer }), { minLength: 1, maxLength: 5 }),
})

const play = ({ base, steps }: { base: string; steps: readonly { text: string; by: Writer }[] }): Alignment =>
  steps.reduce<Alignment>((rows, step) => written(rows, linesOf(step.text), step.by), alignedWith(linesOf(base)))
const baseOf = (rows: Alignment) => baseLines(rows).join('')
const nowOf = (rows: Alignment) => nowLines(rows).join('')
const contentOf = (rows: Alignment, { rows: at }: Hunk) => rows.slice(at.from, at.to)

describe('lines', () => {
  it('joined again they are the text', () => {
    fc.assert(fc.property(text, each => void expect(linesOf(each).join('')).toBe(each)))
  })

  it('spans are sorted, apart, and turn one list into the other', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const [before, after] = [linesOf(a), linesOf(b)]
        const out: string[] = []
        let done = 0
        for (const span of changedSpans(before, after)) {
          expect(span.before.from).toBeGreaterThanOrEqual(done)
          out.push(...before.slice(done, span.before.from), ...after.slice(span.after.from, span.after.to))
          done = span.before.to
        }
        out.push(...before.slice(done))
        expect(out).toEqual(after)
      }),
    )
  })

  it('many single lines in a long text are told one by one', () => {
    const before = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`)
    const after = before.map((line, i) => (i % 20 === 10 ? `other ${line}` : line))
    expect(changedSpans(before, after)).toHaveLength(1000)
  })

  it('what differs too much to be told apart is one span', () => {
    const lines = (mark: string) => Array.from({ length: 3000 }, (_, i) => `${mark}${i}\n`)
    expect(changedSpans(['head\n', ...lines('a')], ['head\n', ...lines('b')])).toEqual([
      { before: { from: 1, to: 3001 }, after: { from: 1, to: 3001 } },
    ])
  })
})

describe('laws of the alignment', () => {
  it('holds the base and the text of now, whatever was written in between', () => {
    fc.assert(
      fc.property(chain, all => {
        const rows = play(all)
        expect(baseOf(rows)).toBe(all.base)
        expect(nowOf(rows)).toBe(all.steps.at(-1)?.text)
        if (baseOf(rows) === nowOf(rows)) expect(hunksOf(rows)).toEqual([])
      }),
    )
  })

  it('accepting all is the new text, taking all back the old one', () => {
    fc.assert(
      fc.property(chain, all => {
        const rows = play(all)
        const hunks = hunksOf(rows)
        const good = accepted(
          rows,
          hunks.map(hunk => hunk.now),
        )
        expect([baseOf(good), nowOf(good), hunksOf(good)]).toEqual([nowOf(rows), nowOf(rows), []])
        const back = takenBack(rows, hunks)
        expect([baseOf(back), nowOf(back), hunksOf(back)]).toEqual([baseOf(rows), baseOf(rows), []])
      }),
    )
  })

  it('any choice applies in any order: each act takes its own hunk away and leaves the others as they were', () => {
    const acts = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 40, maxLength: 40 })
    fc.assert(
      fc.property(chain, acts, (all, choices) => {
        let rows = play(all)
        for (const [pick, good] of choices) {
          const hunks = hunksOf(rows)
          const hunk = hunks[pick % Math.max(1, hunks.length)]
          if (!hunk) break
          const others = hunks.filter(each => each !== hunk).map(each => contentOf(rows, each))
          rows = good ? accepted(rows, [hunk.now]) : takenBack(rows, [hunk])
          expect(hunksOf(rows).map(each => contentOf(rows, each))).toEqual(others)
        }
        expect(hunksOf(rows)).toEqual([])
        expect(baseOf(rows)).toBe(nowOf(rows))
      }),
    )
  })

  it('a set applied at once is the same set applied one by one', () => {
    fc.assert(
      fc.property(chain, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (all, choice) => {
        const rows = play(all)
        const hunks = hunksOf(rows)
        const chosen = hunks.filter((_, i) => choice[i % choice.length])
        const spans = chosen.map(hunk => hunk.now)
        const oneByOne = [...spans].reverse().reduce<Alignment>((now, span) => accepted(now, [span]), rows)
        expect(oneByOne).toEqual(accepted(rows, spans))
        const others = hunks.filter(hunk => !chosen.includes(hunk))
        expect(baseOf(oneByOne)).toBe(nowOf(takenBack(rows, others)))
      }),
    )
  })

  it('what was accepted never comes back while later writes leave those lines alone', () => {
    const edits = fc.array(fc.record({ at: fc.nat(), drop: fc.nat(2), put: fc.nat(3), by: writer }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), edits, fc.array(fc.nat()), (shape, later, picks) => {
        let made = 0
        const fresh = (count: number) => Array.from({ length: count }, () => `line ${++made}\n`)
        const base = fresh(shape.length)
        const first = shape.flatMap((kept, i) => (kept ? [base[i] as string] : fresh(1 + (i % 2))))
        let rows = written(alignedWith(base), first, 'agent trn_1')
        const chosen = picks.flatMap(pick => hunksOf(rows)[pick % Math.max(1, hunksOf(rows).length)] ?? [])
        const good = new Set(chosen.flatMap(hunk => nowLines(contentOf(rows, hunk))))
        const gone = new Set(chosen.flatMap(hunk => baseLines(contentOf(rows, hunk))))
        rows = accepted(
          rows,
          chosen.map(hunk => hunk.now),
        )
        for (const { at, drop, put, by } of later) {
          const lines = nowLines(rows)
          const from = at % (lines.length + 1)
          const left = lines.slice(from, from + drop).filter(line => good.has(line))
          rows = written(rows, [...lines.slice(0, from), ...fresh(put), ...left, ...lines.slice(from + drop)], by)
          for (const hunk of hunksOf(rows))
            for (const row of contentOf(rows, hunk)) expect(good.has(row.text) || gone.has(row.text)).toBe(false)
        }
      }),
    )
  })

  it('a row knows who wrote it, and a hunk of two writers names both', () => {
    let rows = written(alignedWith(linesOf('a\nb\nc\nd\n')), linesOf('a\nB\nc\nd\n'), 'agent trn_1')
    rows = written(rows, linesOf('a\nB\nmine\nc\nD\n'), 'you')
    expect(hunksOf(rows).map(hunk => [hunk.base, hunk.now, [...hunk.writers]])).toEqual([
      [{ from: 1, to: 2 }, { from: 1, to: 3 }, ['agent trn_1', 'you']],
      [{ from: 3, to: 4 }, { from: 4, to: 5 }, ['you']],
    ])
  })

  it('accepting some lines of a hunk leaves what it removed to be looked at', () => {
    const rows = written(alignedWith(linesOf('old\n')), linesOf('one\ntwo\n'), 'agent trn_1')
    const part = accepted(rows, [{ from: 1, to: 2 }])
    expect(part.map(row => [row.kind, row.text])).toEqual([
      ['removed', 'old\n'],
      ['added', 'one\n'],
      ['same', 'two\n'],
    ])
  })
})
