import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fits, lineOf, literal, type Rule, type Subject } from './rule.ts'

const rule = (tool: string, pattern: string | null, base: string | null = null): Rule => ({
  tool,
  verdict: 'allow',
  pattern,
  priority: 0,
  scope: 'user',
  base,
})
const edit = (path: string): Subject => ({
  tool: 'edit',
  kind: 'write',
  command: null,
  absolute: `/w/${path}`,
  inRoots: [{ root: '/w', path }],
})
const run = (command: string): Subject => ({ tool: 'bash', kind: 'command', command, absolute: null, inRoots: [] })
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...'*?[]{}()!@+|\\ab.-,^$'), minLength: 1, maxLength: 8 }),
)
const path = fc
  .array(
    name.filter(text => !/[/\0]/.test(text) && !/^\.+$/.test(text)),
    { minLength: 1, maxLength: 3 },
  )
  .map(parts => parts.join('/'))

describe('a literal', () => {
  it('fits its own path and no other, whatever is in the name', () => {
    fc.assert(
      fc.property(path, path, (mine, other) => {
        expect(fits(rule('edit', literal(mine), '/w'), edit(mine))).toBe(true)
        if (mine !== other) expect(fits(rule('edit', literal(mine), '/w'), edit(other))).toBe(false)
        expect(fits(rule('edit', literal(mine), '/w'), edit(`${mine}z`))).toBe(false)
        expect(fits(rule('edit', literal(mine), '/w'), edit(`x/${mine}`))).toBe(false)
      }),
      { numRuns: 500 },
    )
  })
})

describe('an odd name', () => {
  it('costs no more than a plain one', () => {
    const odd = `${'*?[]{}()!@+|'.repeat(40)}${'.-,^$\\\\'.repeat(20)}`
    expect(fits(rule('edit', literal(odd), '/w'), edit(odd))).toBe(true)
    expect(fits(rule('edit', literal(odd), '/w'), edit(`${odd}z`))).toBe(false)
  })
})

describe('what a rule speaks of', () => {
  it.each([
    [rule('edit', 'src/**'), edit('src/a/b.ts'), true],
    [rule('write', 'src/**'), edit('src/a/b.ts'), false],
    [rule('*', null), edit('x'), true],
    [rule('EDIT', '/w/src/*'), edit('src/a.ts'), true],
    [rule('edit', '/w/src/*', '/w'), edit('src/a.ts'), false],
    [rule('edit', 'src/*', '/elsewhere'), edit('src/a.ts'), false],
    [rule('edit', '**/.*'), edit('.hidden'), true],
    [rule('bash', 'git push *'), run('git push'), true],
    [rule('bash', 'git push *'), run('git pushy'), false],
    [rule('bash', 'rm *'), run('ls && rm -rf /'), true],
    [rule('bash', 'rm *'), run('echo $(rm x)'), true],
    [rule('bash', 'rm *'), run('ls\nrm x'), true],
    [rule('edit', 'rm *'), run('rm x'), false],
    [rule('read', 'src/**'), edit('src/a.ts'), false],
  ])('%j and %j: %s', (each, subject, verdict) => {
    expect(fits(each, subject)).toBe(verdict)
  })

  it('is written as a person reads it', () => {
    expect(lineOf(rule('edit', 'src/**'))).toBe('allow edit(src/**) [user]')
    expect(lineOf(rule('*', null))).toBe('allow * [user]')
  })
})
