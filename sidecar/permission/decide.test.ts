import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Mode } from '#contract/session-event'
import { type CommandFacts, decide, type Facts, type PartFacts } from './decide.ts'
import { hostFacts } from './host.ts'
import { fits, type Rule } from './rule.ts'

const files = ['src/a.ts', 'src/b.ts', '.vscode/tasks.json', 'docs/x.md']
const commands = ['npm test', 'git push', 'rm -rf x', 'ls', 'timeout 5 npm test']
const hosts = ['example.com', 'api.example.com', '127.0.0.1', '169.254.169.254', 'localhost']
const rule: fc.Arbitrary<Rule> = fc.record({
  tool: fc.constantFrom('*', 'edit', 'write', 'read', 'bash', 'todo', 'network', 'mcp__a__b'),
  verdict: fc.constantFrom('allow', 'ask', 'deny'),
  pattern: fc.constantFrom(
    ...[null, '**', 'src/**', 'src/a.ts', '**/*.json', 'npm *', 'rm *', '*', '[', '/w/src/*', 'ls', 'npm test'],
    ...['example.com', '*.example.com', '127.0.0.1', 'https://example.com/'],
  ),
  priority: fc.integer({ min: -2, max: 2 }),
  scope: fc.constantFrom('user', 'here', 'workspace', 'session', 'agent'),
  base: fc.constantFrom(null, '/w', '/elsewhere'),
})
const part: fc.Arbitrary<PartFacts> = fc
  .record({
    text: fc.constantFrom(...commands),
    kind: fc.constantFrom('reads', 'runs', 'moves-refs', 'unknown'),
    protectedPart: fc.constantFrom(null, null, null, '.git'),
  })
  .map(
    ({ text, kind, protectedPart }): PartFacts => ({
      text,
      kind,
      forms: [text, text.replace('timeout 5 ', '')],
      allowed: kind === 'unknown' ? [] : [{ text, head: 0 }],
      why: kind === 'reads' ? '' : 'Because.',
      protectedPart: kind === 'reads' ? null : protectedPart,
    }),
  )
const command: fc.Arbitrary<CommandFacts> = fc
  .record({
    parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    jailed: fc.boolean(),
    unjailed: fc.constantFrom(false, false, true),
    withSecrets: fc.constantFrom(false, false, true),
  })
  .map(({ parts, ...rest }) => ({
    ...rest,
    parts,
    whole: parts.map(({ text }) => text).join('; '),
    cwd: '/w',
    bounds: [],
  }))
const facts: fc.Arbitrary<Facts> = fc
  .record({
    kind: fc.constantFrom('none', 'ask', 'read', 'write', 'command', 'command', 'fetch', 'network'),
    tool: fc.constantFrom('edit', 'write', 'read', 'bash', 'todo', 'network', 'webfetch'),
    path: fc.constantFrom(...files),
    command,
    host: fc.constantFrom(...hosts),
    outside: fc.boolean(),
    readOnly: fc.boolean(),
    own: fc.boolean(),
    secret: fc.boolean(),
    shared: fc.boolean(),
  })
  .map(({ path, secret, kind, tool, outside, readOnly, own, shared, ...rest }): Facts => {
    const at = kind === 'read' || kind === 'write'
    return {
      kind,
      tool,
      command: kind === 'command' ? rest.command : null,
      host: kind === 'fetch' || kind === 'network' ? hostFacts(rest.host, 443) : null,
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
const many = { numRuns: 400 }

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

  it.each(['workspace', 'agent'] as const)('adding a rule of the scope "%s" never loosens', scope => {
    fc.assert(
      fc.property(rules, rule, facts, mode, (known, added, what, inMode) => {
        const before = decide(known, what, inMode)
        const after = decide([...known, { ...added, scope }], what, inMode)
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

  it('no rule and no mode but bypass changes a protected place without asking, by a tool or by a command', () => {
    fc.assert(
      fc.property(rules, facts, mode, (all, what, inMode) => {
        const named = what.command?.parts.some(({ protectedPart }) => protectedPart !== null) ?? false
        fc.pre((named || (what.kind === 'write' && what.protectedPart !== null)) && inMode !== 'bypassPermissions')
        const { verdict, firm } = decide(all, what, inMode)
        expect(verdict === 'deny' || (verdict === 'ask' && firm)).toBe(true)
      }),
      many,
    )
  })

  it('no rule and no mode but bypass runs a command without a jail, out of it, with secrets, or one not understood', () => {
    fc.assert(
      fc.property(rules, facts, mode, (all, what, inMode) => {
        fc.pre(what.command !== null && inMode !== 'bypassPermissions')
        const { command: seen } = what
        const { verdict, firm } = decide(all, what, inMode)
        if (!seen?.jailed) expect(verdict).not.toBe('allow')
        if (seen?.unjailed || seen?.withSecrets) expect(verdict === 'deny' || firm).toBe(true)
        if (seen?.parts.some(({ kind }) => kind === 'unknown')) expect(verdict).not.toBe('allow')
      }),
      many,
    )
  })

  it('an allow needs every part: one part alone that would not be allowed is enough not to be', () => {
    fc.assert(
      fc.property(rules, facts, mode, (all, what, inMode) => {
        const { command: seen } = what
        fc.pre(seen !== null && inMode !== 'bypassPermissions')
        if (!seen || decide(all, what, inMode).verdict !== 'allow') return
        for (const each of seen.parts)
          expect(decide(all, { ...what, command: { ...seen, parts: [each] } }, inMode).verdict).toBe('allow')
      }),
      many,
    )
  })

  it('plan changes nothing, "dontAsk" never asks, nothing is written outside, keys of a machine are never reached silently', () => {
    fc.assert(
      fc.property(rules, facts, mode, (all, what, inMode) => {
        if (what.kind === 'write') expect(decide(all, what, 'plan').verdict).toBe('deny')
        if (what.command?.parts.some(({ kind }) => kind !== 'reads'))
          expect(decide(all, what, 'plan').verdict).toBe('deny')
        expect(decide(all, what, 'dontAsk').verdict).not.toBe('ask')
        if (what.kind === 'write' && what.outside) expect(decide(all, what, inMode).verdict).toBe('deny')
        if (what.host?.nature === 'keys' && inMode !== 'bypassPermissions')
          expect(decide(all, what, inMode).verdict).not.toBe('allow')
      }),
      many,
    )
  })
})

describe('mode by kind of command, in a jail', () => {
  const of = (kind: PartFacts['kind'], more: Partial<CommandFacts> = {}): Facts => ({
    kind: 'command',
    tool: 'bash',
    command: {
      whole: 'x',
      cwd: '/w',
      bounds: [],
      jailed: true,
      unjailed: false,
      withSecrets: false,
      parts: [
        {
          text: 'x',
          kind,
          forms: ['x'],
          allowed: kind === 'unknown' ? [] : [{ text: 'x', head: 0 }],
          why: '',
          protectedPart: null,
        },
      ],
      ...more,
    },
    host: null,
    absolute: null,
    inRoots: [],
    outside: false,
    readOnly: false,
    own: false,
    protectedPart: null,
    secretPart: null,
    shared: false,
  })
  const modes = ['plan', 'default', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] as const
  it.each([
    ['one that reads', of('reads'), 'allow allow allow allow allow allow'],
    ['any other', of('runs'), 'deny ask ask allow deny allow'],
    ['one that moves refs', of('moves-refs'), 'deny ask ask allow deny allow'],
    ['one not understood', of('unknown'), 'deny ask ask ask deny allow'],
    ['one out of the jail', of('reads', { unjailed: true }), 'deny firm firm firm deny allow'],
    ['one with secrets', of('reads', { withSecrets: true }), 'firm firm firm firm deny allow'],
    ['one that reads, without a jail', of('reads', { jailed: false }), 'ask ask ask ask deny allow'],
    ['any other, without a jail', of('runs', { jailed: false }), 'deny ask ask ask deny allow'],
  ])('%s', (_, what, verdicts) => {
    const found = modes.map(each => {
      const { verdict, firm } = decide([], what, each)
      return firm ? 'firm' : verdict
    })
    expect(found.join(' ')).toBe(verdicts)
  })
})

describe('a note for later conversations', () => {
  const note: Facts = {
    ...{ tool: 'remember', kind: 'remember', command: null, host: null, absolute: null, inRoots: [] },
    ...{ outside: false, readOnly: false, own: false, protectedPart: null, secretPart: null, shared: false },
  }
  const written = (tool: string, verdict: Rule['verdict'], scope: Rule['scope']): Rule => ({
    ...{ tool, verdict, scope, pattern: null, priority: 0, base: null },
  })

  it('is asked about in every mode, by nobody but a person, and only a rule of theirs for just this answers', () => {
    for (const mode of Mode.options) {
      const asked = decide([], note, mode)
      expect([mode, asked.verdict, asked.firm]).toEqual([mode, mode === 'dontAsk' ? 'deny' : 'ask', mode !== 'dontAsk'])
      for (const weak of [
        written('*', 'allow', 'user'),
        written('edit', 'allow', 'user'),
        written('remember', 'allow', 'workspace'),
        written('remember', 'allow', 'agent'),
      ])
        expect(decide([weak], note, mode).verdict).toBe(asked.verdict)
      expect(decide([written('remember', 'allow', 'user')], note, mode).verdict).toBe('allow')
      for (const scope of ['user', 'workspace', 'agent'] as const)
        expect(decide([written('remember', 'allow', 'user'), written('*', 'deny', scope)], note, mode).verdict).toBe(
          'deny',
        )
    }
  })
})
