/** What is sent of a person's choices: never half a batch, and nothing that was not offered. */
import { describe, expect, it } from 'vitest'
import { CallId } from '#contract/id'
import type { AskedCall } from '#contract/session-event'
import { answersTo, gravityOf, mayRemember, ruleOf, sameForAll } from './choices.ts'
import { readEdited } from './edited.ts'

const asked = (name: string, more: Partial<AskedCall> = {}): AskedCall => ({
  callId: CallId.parse(`call_${name}`),
  tool: 'bash',
  kind: 'command',
  exact: name,
  where: '/w',
  reason: '',
  rule: null,
  remember: ['session', 'here'],
  patterns: ['npm test', 'npm *'],
  dirty: [],
  ...more,
})
const [a, b] = [asked('a'), asked('b', { remember: [], patterns: undefined })]

describe('answersTo', () => {
  it('is nothing while a call is undecided', () =>
    expect(answersTo([a, b], { [a.callId]: { verdict: 'deny', remember: 'once' } })).toBeNull())
  it('sends a pattern only where one is kept and was offered', () => {
    const choices = (remember: 'once' | 'here', pattern: string) => ({
      [a.callId]: { verdict: 'allow' as const, remember, pattern },
    })
    expect(answersTo([a], choices('here', 'npm *'))).toEqual([
      { callId: a.callId, verdict: 'allow', remember: 'here', pattern: 'npm *' },
    ])
    expect(answersTo([a], choices('once', 'npm *'))).toEqual([{ callId: a.callId, verdict: 'allow', remember: 'once' }])
    expect(answersTo([a], choices('here', 'rm *'))).toEqual([{ callId: a.callId, verdict: 'allow', remember: 'here' }])
  })
  it('changed arguments go with a yes alone, words without their edges', () => {
    const args = { command: 'ls' }
    expect(
      answersTo([a, b], {
        [a.callId]: { verdict: 'allow', remember: 'once', arguments: args },
        [b.callId]: { verdict: 'deny', remember: 'once', words: ' No. ', arguments: args },
      }),
    ).toEqual([
      { callId: a.callId, verdict: 'allow', remember: 'once', arguments: args },
      { callId: b.callId, verdict: 'deny', remember: 'once', words: 'No.' },
    ])
  })
  it('answers all the same', () =>
    expect(answersTo([a, b], sameForAll([a, b], { verdict: 'skip', remember: 'once' }))).toEqual([
      { callId: a.callId, verdict: 'skip', remember: 'once' },
      { callId: b.callId, verdict: 'skip', remember: 'once' },
    ]))
})

describe('what is offered', () => {
  it('for all only what each offers', () => {
    expect(mayRemember([a], 'here')).toBe(true)
    expect(mayRemember([a, b], 'here')).toBe(false)
  })
  it('knows the grave ones', () =>
    expect([a, asked('c', { kind: 'unjailed' }), asked('d', { kind: 'read', secrets: true })].map(gravityOf)).toEqual([
      null,
      'unjailed',
      'secrets',
    ]))
  it('names the rule', () => {
    expect(ruleOf(a, 'npm *')).toBe('bash(npm *)')
    expect(ruleOf(asked('e', { tool: 'write', kind: 'edit' }), 'src/a.ts')).toBe('edit(src/a.ts)')
    expect(ruleOf(asked('f', { kind: 'network' }), 'example.org')).toBe('network(example.org)')
  })
})

describe('readEdited', () => {
  it('puts an edited command among its other arguments', () =>
    expect(readEdited(a, { command: 'npm test', timeoutMs: 5 }, 'npm t')).toEqual({
      args: { command: 'npm t', timeoutMs: 5 },
    }))
  it('takes an object and says what is none', () => {
    const write = asked('w', { tool: 'write', kind: 'edit' })
    expect(readEdited(write, { path: 'a' }, '{"path":"b"}')).toEqual({ args: { path: 'b' } })
    expect(readEdited(write, { path: 'a' }, '{')).toHaveProperty('problem')
    expect(readEdited(write, { path: 'a' }, '[1]')).toHaveProperty('problem')
  })
})
