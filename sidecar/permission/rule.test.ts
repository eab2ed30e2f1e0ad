import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressFacts, hostFacts, hostOffers } from './host.ts'
import { commandPattern, literal, literalCommand } from './pattern.ts'
import { fits, lineOf, type PartSubject, type Rule, type Subject } from './rule.ts'

const rule = (tool: string, pattern: string | null, base: string | null = null): Rule => ({
  tool,
  verdict: 'allow',
  pattern,
  priority: 0,
  scope: 'user',
  base,
})
const none = { command: null, host: null, absolute: null, inRoots: [] }
const edit = (path: string): Subject => ({
  ...none,
  tool: 'edit',
  kind: 'write',
  absolute: `/w/${path}`,
  inRoots: [{ root: '/w', path }],
})
const part = (text: string): PartSubject => ({ text, kind: 'runs', forms: [text], allowed: [{ text, head: 0 }] })
const run = (...texts: string[]): Subject => ({
  ...none,
  tool: 'bash',
  kind: 'command',
  command: { whole: texts.join(' && '), cwd: '/w', parts: texts.map(part), bounds: [] },
})
const reach = (host: string, port = 443): Subject => ({
  ...none,
  tool: 'network',
  kind: 'network',
  host: hostFacts(host, port),
})
const fetched = (url: string): Subject => ({ ...none, tool: 'webfetch', kind: 'fetch', host: addressFacts(url) })
const deny = (each: Rule): Rule => ({ ...each, verdict: 'deny' })

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

  it('fits its own command and no other', () => {
    const text = fc
      .string({ unit: fc.constantFrom(...'*\\ab \n;|'), minLength: 1, maxLength: 12 })
      .map(each => each.trim())
    fc.assert(
      fc.property(text, text, (mine, other) => {
        const { matches, head } = commandPattern(literalCommand(mine))
        expect(matches(mine)).toBe(true)
        expect(head).toBe(Number.POSITIVE_INFINITY)
        if (mine !== other) expect(matches(other)).toBe(false)
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

  it('and neither does a pattern with many wild parts over a long command', () => {
    const began = performance.now()
    expect(commandPattern(`${'*a'.repeat(200)}b`).matches('a'.repeat(20_000))).toBe(false)
    expect(performance.now() - began).toBeLessThan(200)
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
    [rule('bash', 'git *', '/elsewhere'), run('git push'), false],
    [rule('bash', 'git *', '/w'), run('git push'), true],
    [rule('bash', 'git *'), run('git log', 'curl x'), false],
    [rule('bash', 'git log && curl x'), run('git log', 'curl x'), false],
    [deny(rule('bash', 'rm *')), run('ls', 'rm -rf /'), true],
    [deny(rule('bash', 'rm *', '/elsewhere')), run('rm x'), true],
    [deny(rule('bash', 'ls && *')), run('ls', 'rm -rf /'), true],
    [rule('edit', 'rm *'), run('rm x'), false],
    [rule('read', 'src/**'), edit('src/a.ts'), false],
    [rule('network', 'example.com'), reach('EXAMPLE.com.'), true],
    [rule('network', 'example.com'), reach('a.example.com'), false],
    [rule('network', '*.example.com'), reach('a.b.example.com'), true],
    [rule('network', '*.example.com'), reach('example.com'), false],
    [rule('network', '*.example.com'), reach('badexample.com'), false],
    [rule('network', 'example.com:8080'), reach('example.com'), false],
    [rule('network', 'example.com:8080'), reach('example.com', 8080), true],
    [rule('network', null), reach('example.com'), true],
    [rule('network', null), reach('192.168.0.1'), false],
    [rule('network', '*'), reach('localhost'), false],
    [rule('network', '*.0.0.1'), reach('127.0.0.1'), false],
    [rule('network', '127.0.0.1:3000'), reach('127.0.0.1', 3000), true],
    [rule('network', '127.0.0.1'), reach('0x7f.1'), true],
    [deny(rule('network', '127.0.0.1')), reach('2130706433'), true],
    [rule('webfetch', 'https://example.com/docs'), fetched('https://example.com/docs/a'), true],
    [rule('webfetch', 'https://example.com/docs'), fetched('https://example.com/docsy'), false],
    [rule('webfetch', 'https://example.com/docs/'), fetched('https://example.com/docs/../x'), false],
    [rule('webfetch', 'https://example.com/'), fetched('https://example.com@evil.com/'), false],
    [rule('webfetch', 'https://example.com/'), fetched('https://example.com.evil.com/'), false],
    [rule('webfetch', 'https://example.com/'), fetched('http://example.com/'), false],
    [rule('webfetch', 'example.com'), fetched('https://example.com/any'), true],
    [rule('webfetch', 'https://'), fetched('https://example.com/any'), false],
    [deny(rule('webfetch', 'https://')), fetched('https://example.com/any'), true],
  ])('%j and %j: %s', (each, subject, verdict) => {
    expect(fits(each, subject)).toBe(verdict)
  })

  it('is written as a person reads it', () => {
    expect(lineOf(rule('edit', 'src/**'))).toBe('allow edit(src/**) [user]')
    expect(lineOf(rule('*', null))).toBe('allow * [user]')
  })
})

describe('a host', () => {
  it.each([
    ['example.com', 'public'],
    ['localhost', 'private'],
    ['a.localhost', 'private'],
    ['127.0.0.1', 'private'],
    ['10.1.2.3', 'private'],
    ['[::1]', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['0.0.0.0', 'private'],
    ['router', 'private'],
    ['printer.local', 'private'],
    ['100.64.0.1', 'private'],
    ['169.254.169.254', 'keys'],
    ['0xa9fea9fe', 'keys'],
    ['[::ffff:a9fe:a9fe]', 'keys'],
    ['metadata.google.internal', 'keys'],
    ['fe80::1', 'keys'],
    ['8.8.8.8', 'public'],
  ])('%s is %s', (host, nature) => {
    expect(hostFacts(host, 443).nature).toBe(nature)
  })

  it.each([
    ['api.github.com', 443, ['api.github.com', '*.github.com']],
    ['github.com', 443, ['github.com']],
    ['a.b.example.co.uk', 443, ['a.b.example.co.uk', '*.b.example.co.uk']],
    ['example.co.uk', 443, ['example.co.uk']],
    ['me.github.io', 443, ['me.github.io']],
    ['bucket.s3.amazonaws.com', 443, ['bucket.s3.amazonaws.com']],
    ['api.github.com', 8080, ['api.github.com:8080']],
    ['127.0.0.1', 3000, ['127.0.0.1:3000']],
    ['1.2.3.4', 443, ['1.2.3.4']],
    ['169.254.169.254', 80, []],
  ])('of %s:%d may be remembered %j', (host, port, offers) => {
    expect(hostOffers(hostFacts(host, port))).toEqual(offers)
  })
})
