/** What is said of asks and ends: bounded, on one line, nothing hidden in it, and no exact words where others hear them. */
import { expect, it } from 'vitest'
import type { SessionId, WorkspaceId } from '#contract/id'
import { createLocalize } from '#contract/localize'
import type { Ask, Turn } from '#contract/session-state'
import { t } from '../../ui/i18n.ts'
import { askNews, endNews } from './news-of.ts'

const session = { sessionId: 'ses_1' as SessionId, title: 'Fix the build', roots: ['/w'] }
const recent = [
  { folder: '/moved/w', home: '/w', workspaceId: 'wsp_1' as WorkspaceId, name: 'w', openedAt: 0, exists: true },
]
const inChinese = createLocalize({ 'No key.': '没有密钥。' })
const exactly = { t, localize: inChinese, exact: true }
const permission = (exact: string, more: object = {}) =>
  ({
    kind: 'permission',
    askId: 'ask_1',
    answer: null,
    calls: [{ kind: 'command', exact, where: '/w', ...more }],
  }) as unknown as Ask
const turn = (outcome: Turn['outcome'], error: Turn['error'] = null) => ({ turnId: 'trn_1', outcome, error }) as Turn

it('names the workspace, the session and what is asked', () => {
  expect(askNews(session, permission('npm test'), recent, exactly)).toEqual({
    ...{ key: 'ask_1', kind: 'ask', sessionId: 'ses_1', folder: '/moved/w', tell: true },
    ...{ title: 'w', body: '“Fix the build” asks: npm test' },
  })
  expect(askNews(session, permission('npm test'), recent, { ...exactly, exact: false })?.body).toBe(
    '“Fix the build” asks: Run a command',
  )
  expect(askNews({ ...session, roots: ['/unknown'] }, permission('x'), recent, exactly)).toBeNull()
})

it('hides nothing and keeps its bounds, whatever is asked', () => {
  const body =
    askNews(session, permission(`echo\n\u202egnp.exe\u0000${'🪢'.repeat(2000)}`), recent, exactly)?.body ?? ''
  expect(body).toMatch(/^“Fix the build” asks: echo ⟦U\+202E⟧gnp\.exe/)
  expect(body.length).toBeLessThanOrEqual(300)
  expect(body).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
})

it('tells of an end that the person did not make, in the language of the window', () => {
  const said = (outcome: Turn['outcome'], error: Turn['error'] = null) =>
    endNews(session, turn(outcome, error), recent, exactly)?.body
  expect(said('done')).toBe('“Fix the build” is done')
  expect(said('error', { code: 'auth', message: 'No key.' })).toBe('“Fix the build” could not go on: 没有密钥。')
  expect([said('stopped'), said(null)]).toEqual([undefined, undefined])
})
