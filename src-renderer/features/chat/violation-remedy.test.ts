/** What is offered against a refusal of the jail: never more than fits it. */
import { expect, it } from 'vitest'
import { CallId, RootId, WorkspaceId } from '#contract/id'
import type { Violation } from '#contract/sandbox'
import type { WorkspaceInfo } from '#contract/workspace'
import { remedyFor } from './violation-remedy.ts'
import { violationsOf } from './violations.tsx'

const workspaceId = WorkspaceId.parse('wsp_1')
const workspace = {
  workspaceId,
  roots: [{ rootId: RootId.parse('root_1'), absolute: '/home/me/project', name: 'project', readOnly: false }],
} as unknown as WorkspaceInfo
const offered = (category: Violation['category'], target: string, more: Partial<Violation> = {}) => {
  const remedy = remedyFor({ at: 1, callId: CallId.parse('call_1'), category, target, ...more }, workspace)
  return remedy && `${remedy.kind} ${remedy.what}`
}

it.each<[Violation['category'], string, string | null]>([
  ['network', 'example.org:443', 'host example.org'],
  ['network', '[2001:db8::1]:443', 'host 2001:db8::1'],
  ['network', 'exa mple\u202e.org:443', null],
  ['write', '/home/me/.cache/tool/x', 'folder /home/me/.cache/tool'],
  ['write', '/home/me/project/.git/hooks/x', null],
  ['write', '/etc/passwd', null],
  ['write', '/usr/share/x', null],
  ['write', '/x', null],
  ['write', 'relative/x', null],
  ['read', '/home/me/.ssh/id', null],
  ['other', '/home/me/y/z', null],
])('%s %s', (category, target, remedy) => expect(offered(category, target)).toBe(remedy))

it('what was set aside is put back, whatever it is', () => {
  const place = '/home/me/project/sub/.vscode'
  expect(offered('write', place, { aside: 'aside_1' })).toBe(`aside ${place}`)
})

it('takes from the log only what is a violation', () => {
  const sound = { at: 1, callId: 'call_1', category: 'write', target: '/x' }
  expect(violationsOf({ detail: { violations: [sound, null, 7, { category: 'write' }] } })).toEqual([sound])
  expect(violationsOf({ detail: { violations: 'all' } })).toEqual([])
})
