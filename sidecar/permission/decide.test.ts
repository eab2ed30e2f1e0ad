import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Mode } from '#contract/session-event'
import { decide, type Facts } from './decide.ts'
import { fits, type Rule } from './rule.ts'

const files = ['src/a.ts', 'src/b.ts', '.vscode/tasks.json', 'docs/x.md']
const commands = ['npm test', 'git push', 'rm -rf x', 'ls; rm x']
const rule: fc.Arbitrary<Rule> = fc.record({
  tool: fc.constantFrom('*', 'edit', 'write', 'read', 'bash', 'todo'),
  verdict: fc.constantFrom('allow', 'ask', 'deny'),
  pattern: fc.constantFrom(null, '**', 'src/**', 'src/a.ts', '**/*.json', 'npm *', 'rm *', '*', '[', '/w/src/*'),
  priority: fc.integer({ min: -2, max: 2 }),
  scope: fc.constantFrom('user', 'here', 'workspace'),
  base: fc.constantFrom(null, '/w', '/elsewhere'),
})
const facts: fc.Arbitrary<Facts> = fc
  .record({
    kind: fc.constantFrom('none', 'ask', 'read', 'write', 'command'),
    tool: fc.constantFrom('edit', 'write', 'read', 'bash', 'todo'),
    path: fc.constantFrom(...files),
    command: fc.constantFrom(...commands),
    outside: fc.boolean(),
    readOnly: fc.boolean(),
    own: fc.boolean(),
    secret: fc.boolean(),
    shared: fc.boolean(),
  })
  .map(({ path, command, secret, kind, tool, outside, readOnly, own, shared }): Facts => {
    const at = kind === 'read' || kind === 'write'
    return {
      kind,
      tool,
      command: kind === 'command' ? command : null,
      absolute: at ? `${outside ? '/out' : '/w'}/${path}` : null,
      inRoots: at && !outside ? [{ root: '/w', path }] : [],
      outside: at && outside,
      readOnly: at && readOnly && !outside,
      own: at && own,
      protectedPart: at && path.startsWith('.vscode') ? '.vscode' : null,
      secretPart: at && secret ? '.env' : null,
      shared: at && shared,
    }
  })
const mode = fc.constantFrom(...Mode.options)
const rules = fc.array(rule, { maxLength: 8 })
const strictness = { allow: 0, ask: 1, deny: 2 }
const many = { numRuns: 500 }

describe('laws of decision', () => {
  it('adding a deny makes everything it matches denied, but where all rules are skipped', () => {
    fc.assert(
      fc.property(rules, rule, facts, mode, (known, added, what, inMode) => {
        const deny: Rule = { ...added, verdict: 'deny' }
        fc.pre(inMode !== 'bypassPermissions' && fits(deny, what))
        expect(decide([...known, deny], what, inMode).verdict).toBe('deny')
      }),
      many,
    )
  })

  it('adding a rule of the workspace never loosens', () => {
    fc.assert(
      fc.property(rules, rule, facts, mode, (known, added, what, inMode) => {
        const before = decide(known, what, inMode)
        const after = decide([...known, { ...added, scope: 'workspace' }], what, inMode)
        expect(strictness[after.verdict]).toBeGreaterThanOrEqual(strictness[before.verdict])
        if (before.firm) expect(after.verdict === 'deny' || after.firm).toBe(true)
      }),
      many,
    )
  })

  it('the answer never depends on the order of the rules', () => {
    fc.assert(
      fc.property(
        rules.chain(all => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        facts,
        mode,
        ([all, shuffled], what, inMode) => {
          expect(decide(shuffled, what, inMode)).toEqual(decide(all, what, inMode))
        },
      ),
      many,
    )
  })

  it('no rule and no mode but bypass writes a protected place without asking', () => {
    fc.assert(
      fc.property(rules, facts, mode, (all, what, inMode) => {
        fc.pre(what.kind === 'write' && what.protectedPart !== null && inMode !== 'bypassPermissions')
        const { verdict, firm } = decide(all, what, inMode)
        expect(verdict === 'deny' || (verdict === 'ask' && firm)).toBe(true)
      }),
      many,
    )
  })

  it('no rule and no mode but bypass runs a command without asking, or writes outside at all', () => {
    fc.assert(
      fc.property(rules, facts, mode, (all, what, inMode) => {
        const { verdict } = decide(all, what, inMode)
        if (what.kind === 'command' && inMode !== 'bypassPermissions') expect(verdict).not.toBe('allow')
        if (what.kind === 'write' && what.outside) expect(verdict).toBe('deny')
      }),
      many,
    )
  })

  it('plan changes nothing and "dontAsk" never asks', () => {
    fc.assert(
      fc.property(rules, facts, (all, what) => {
        if (what.kind === 'write' || what.kind === 'command') expect(decide(all, what, 'plan').verdict).toBe('deny')
        expect(decide(all, what, 'dontAsk').verdict).not.toBe('ask')
      }),
      many,
    )
  })
})
