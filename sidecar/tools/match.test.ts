import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyChanges, isChangeSet } from '#contract/document-transform'
import { inLineEndsOf, planEdits } from './match.ts'

const edited = (text: string, ...edits: { old: string; new: string; all?: boolean }[]) => {
  const plan = planEdits(text, edits)
  return plan.ok ? applyChanges(text, plan.changes) : plan.message
}

describe('planEdits', () => {
  it('replaces one exact, unique text', () =>
    expect(edited('a\nb\nc\n', { old: 'b', new: 'x\ny' })).toBe('a\nx\ny\nc\n'))
  it('writes in the line ends of the place', () => {
    expect(edited('a\r\nb\r\nc\r\n', { old: 'a\nb', new: 'a\nnew\nb' })).toBe('a\r\nnew\r\nb\r\nc\r\n')
    expect(edited('a\rb\r', { old: 'b', new: 'b\nc' })).toBe('a\rb\rc\r')
  })
  it('keeps mixed line ends inside what did not change', () =>
    expect(edited('one\r\ntwo\nthree\r\n', { old: 'one\ntwo\nthree', new: 'one\ntwo\nTHREE' })).toBe(
      'one\r\ntwo\nTHREE\r\n',
    ))
  it('applies several edits at once, all or nothing', () => {
    expect(edited('a b c', { old: 'a', new: '1' }, { old: 'c', new: '3' })).toBe('1 b 3')
    expect(edited('a b c', { old: 'a', new: '1' }, { old: 'z', new: '3' })).toMatch(/edits\[1\].*does not occur/)
  })
  it('says how often and where an ambiguous text stands', () => {
    expect(edited('x\ny\nx\n', { old: 'x', new: 'z' })).toMatch(/occurs 2 times \(lines 1, 3\)/)
    expect(edited('x\ny\nx\n', { old: 'x', new: 'z', all: true })).toBe('z\ny\nz\n')
  })
  it('points at the line that is close', () =>
    expect(edited('  const a  =  1\n', { old: 'const a = 1', new: 'b' })).toMatch(/Line 1 is close/))
  it('refuses edits that touch each other, empty and idle ones', () => {
    expect(edited('abcd', { old: 'abc', new: 'x' }, { old: 'bcd', new: 'y' })).toMatch(/same text/)
    expect(edited('abcd', { old: '', new: 'x' })).toMatch(/empty/)
    expect(edited('abcd', { old: 'a', new: 'a' })).toMatch(/nothing would change/)
  })
  it('law: outside the match no unit changes, whatever the line ends', () => {
    const piece = fc.stringMatching(/^[a-c \r\n]{0,12}$/)
    fc.assert(
      fc.property(piece, piece, piece, (head, tail, wish) => {
        const text = `${head}<<MARK>>${tail}`
        const plan = planEdits(text, [{ old: '<<MARK>>', new: `<<${wish}>>` }])
        if (!plan.ok) return
        expect(isChangeSet(plan.changes, text.length)).toBe(true)
        const result = applyChanges(text, plan.changes)
        expect(result.startsWith(`${head}<<`) && result.endsWith(`>>${tail}`)).toBe(true)
        expect(result.replace(/\r\n?/g, '\n')).toBe(`${head}<<${wish}>>${tail}`.replace(/\r\n?/g, '\n'))
      }),
    )
  })
})

describe('inLineEndsOf', () => {
  it('keeps CRLF where the file had nothing else', () => {
    expect(inLineEndsOf('a\r\nb\r\n', 'x\ny\n')).toBe('x\r\ny\r\n')
    expect(inLineEndsOf('a\r\nb\n', 'x\ny\n')).toBe('x\ny\n')
    expect(inLineEndsOf('', 'x\n')).toBe('x\n')
  })
})
