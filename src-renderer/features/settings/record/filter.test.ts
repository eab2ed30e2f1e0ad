/** What comes while one looks is shown exactly where a new question would have shown it. */
import { expect, it } from 'vitest'
import { SessionId, WorkspaceId } from '#contract/id'
import type { AuditEntry } from '#contract/permission'
import { asked, belongs, noFilter, type RecordFilter } from './filter.ts'

const [mine, other] = [SessionId.parse('ses_1'), SessionId.parse('ses_2')]
const place = { workspaceId: WorkspaceId.parse('wsp_1'), sessionId: mine, roots: ['/w'] }
const entry: AuditEntry = {
  at: 1,
  kind: 'decision',
  folder: '/w/src',
  sessionId: mine,
  callId: null,
  agent: null,
  tool: 'bash',
  subject: 'npm test',
  verdict: 'allow',
  by: 'rule',
  rule: 'allow bash(npm *) [here]',
  reason: 'a rule allows it',
  mode: 'default',
}
const fits = (filter: Partial<RecordFilter>, query = '', line: Partial<AuditEntry> = {}) =>
  belongs({ ...entry, ...line }, { ...noFilter, ...filter }, query, place)

it('takes what every filter takes', () => {
  expect(fits({})).toBe(true)
  expect(fits({ kind: 'decision', verdict: 'allow', tool: 'bash', of: 'session' }, 'NPM *')).toBe(true)
})
it.each<[string, Partial<RecordFilter>, string, Partial<AuditEntry>]>([
  ['another kind', { kind: 'violation' }, '', {}],
  ['another verdict', { verdict: 'deny' }, '', {}],
  ['another tool', { tool: 'read' }, '', {}],
  ['other words', {}, 'yarn', {}],
  ['another session', { of: 'session' }, '', { sessionId: other }],
  ['another folder', { of: 'folder' }, '', { folder: '/wild' }],
])('leaves out %s', (_, filter, query, line) => expect(fits(filter, query, line)).toBe(false))
it('asks for what is filtered and nothing else', () => {
  expect(asked(noFilter, ' ', place)).toEqual({ workspaceId: 'wsp_1' })
  expect(asked({ kind: 'answer', verdict: 'skip', tool: ' bash ', of: 'session' }, 'x', place)).toEqual({
    kind: 'answer',
    verdict: 'skip',
    tool: 'bash',
    query: 'x',
    sessionId: 'ses_1',
  })
})
