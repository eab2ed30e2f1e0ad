/** What a command line's tool lists say of single calls. */
import { expect, it } from 'vitest'
import { CallId } from '#contract/id'
import { judgeByFlags } from './flags.ts'
import type { Action } from './ports.ts'

const judge = (lists: { allow?: string[]; deny?: string[] }, tool: string, action: Action): string => {
  const flags = { allowedTools: lists.allow, disallowedTools: lists.deny }
  const verdict = judgeByFlags(flags, { callId: CallId.parse('call_1'), tool, action }, ['/w'])
  return verdict?.verdict ?? 'nothing'
}
const command = (text: string): Action => ({
  kind: 'command',
  command: text,
  cwd: '/w',
  background: false,
  exact: text,
})
const page = (url: string): Action => ({ kind: 'fetch', url, exact: url })
const read = (path: string): Action => ({ kind: 'read', path })

it.each([
  [{}, 'bash', command('ls'), 'nothing'],
  [{ allow: ['bash'] }, 'bash', command('rm -rf x && y'), 'allow'],
  [{ allow: ['Bash'] }, 'bash', command('ls'), 'allow'],
  [{ allow: ['bash'] }, 'read', read('a'), 'deny'],
  [{ allow: [] }, 'read', read('a'), 'deny'],
  [{ allow: ['*'] }, 'read', read('a'), 'allow'],
  [{ allow: ['bash(git log *)'] }, 'bash', command('git log -3'), 'allow'],
  [{ allow: ['bash(git log *)'] }, 'bash', command('git log'), 'allow'],
  [{ allow: ['bash(git log *)'] }, 'bash', command('git logger'), 'deny'],
  [{ allow: ['bash(git log *)'] }, 'bash', command('git log; curl x | sh'), 'deny'],
  [{ allow: ['bash(git log *)'] }, 'bash', command('git log $(curl x)'), 'deny'],
  [{ allow: ['bash(git log *)'] }, 'bash', command('git log > /etc/x'), 'deny'],
  [{ allow: ['bash(*)'] }, 'bash', command('a && b'), 'deny'],
  [{ deny: ['bash(curl *)'] }, 'bash', command('ls && curl x'), 'deny'],
  [{ deny: ['bash(curl *)'] }, 'bash', command('ls'), 'nothing'],
  [{ allow: ['bash'], deny: ['bash(rm *)'] }, 'bash', command('rm x'), 'deny'],
  [{ allow: ['edit(src/**)'] }, 'edit', { kind: 'write', path: '/w/src/a.ts', creates: false, exact: '' }, 'allow'],
  [{ allow: ['edit(src/**)'] }, 'edit', { kind: 'write', path: 'lib/a.ts', creates: false, exact: '' }, 'deny'],
  [{ allow: ['edit(src/**)'] }, 'edit', { kind: 'write', path: '/w/../x/src/a.ts', creates: false, exact: '' }, 'deny'],
  [{ allow: ['read(*.md)'] }, 'read', read('deep/a.md'), 'deny'],
  [{ allow: ['read'] }, 'todo', { kind: 'none' }, 'deny'],
  [{ allow: ['webfetch(docs.example)'] }, 'webfetch', page('https://docs.example/a?b'), 'allow'],
  [{ allow: ['webfetch(*.example)'] }, 'webfetch', page('https://docs.example/'), 'allow'],
  [{ allow: ['webfetch(localhost:3000)'] }, 'webfetch', page('http://localhost:3000/x'), 'allow'],
  [{ allow: ['webfetch(*.docs.example)'] }, 'webfetch', page('https://evil.example/?x.docs.example'), 'deny'],
  [{ allow: ['webfetch(docs.example)'] }, 'webfetch', page('https://docs.example.evil.example/'), 'deny'],
  [{ deny: ['webfetch(*evil*)'] }, 'webfetch', page('https://www.evil.example/'), 'deny'],
] as [{ allow?: string[]; deny?: string[] }, string, Action, string][])(
  '%j: %s %j -> %s',
  (lists, tool, action, verdict) => {
    expect(judge(lists, tool, action)).toBe(verdict)
  },
)

it.each([
  [{ allow: ['bash(git log *)', 'bash(head *)'] }, 'git log | head -3', ['git log', 'head -3'], 'allow'],
  [{ allow: ['bash(git log *)'] }, 'git log | head -3', ['git log', 'head -3'], 'deny'],
  [{ allow: ['bash(git log *)'] }, 'git log; curl x', ['git log', 'curl x'], 'deny'],
  [{ allow: ['bash(git log *)'] }, 'git log > x', ['git log', '> x'], 'deny'],
  [{ allow: ['bash(eval *)'] }, 'eval x', null, 'deny'],
  [{ allow: ['bash'] }, 'eval x', null, 'allow'],
  [{ deny: ['bash(rm *)'] }, '/bin/rm x', ['/bin/rm x'], 'deny'],
] as const)('%j of the parts of %s: %s', (lists, text, parts, verdict) => {
  const forms = [...(parts ?? []), ...(text.startsWith('/bin/') ? [text.slice(5)] : [])]
  const flags = {
    allowedTools: 'allow' in lists ? [...lists.allow] : undefined,
    disallowedTools: 'deny' in lists ? [...lists.deny] : undefined,
  }
  const request = { callId: CallId.parse('call_1'), tool: 'bash', action: command(text) }
  expect(judgeByFlags(flags, request, ['/w'], { parts, forms })?.verdict ?? 'nothing').toBe(verdict)
})
