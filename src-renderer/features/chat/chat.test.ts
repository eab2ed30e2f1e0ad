/** The panel's pure parts: rows, what an eye must see, colours, diffs, links, triggers. */

import { describe, expect, it } from 'vitest'
import { CallId, ItemId, RootId, SessionId, TurnId, WorkspaceId } from '#contract/id'
import type { SessionEventDraft } from '#contract/session-event'
import { emptySession, foldSession, noUsage, type SessionState } from '#contract/session-fold'
import type { WorkspaceInfo } from '#contract/workspace'
import { visible } from '../../ui/visible.ts'
import { ansiSpans } from './ansi.ts'
import { placeOf } from './open-link.ts'
import { linesBetween, linesOfNew, linesOfPatch } from './patch-lines.ts'
import { rowsOf } from './rows.ts'
import { toolWords } from './tool-words.ts'
import { triggerIn } from './use-completion.ts'

const turnId = TurnId.parse('trn_1')
const producer = { engine: 'belay', model: 'guide/guide', account: null, effort: 'auto' as const }
const id = (n: number) => ItemId.parse(`itm_${n}`)
function folded(...drafts: SessionEventDraft[]): SessionState {
  const state = emptySession(SessionId.parse('ses_1'))
  drafts.forEach((draft, i) => {
    expect(foldSession(state, { ...draft, seq: i + 1, at: i })).toBe('ok')
  })
  return state
}
const started: SessionEventDraft = { type: 'turn.started', turnId, mode: 'default', producer }
const ended: SessionEventDraft = {
  type: 'turn.ended',
  turnId,
  outcome: 'done',
  usage: noUsage,
  cost: null,
  error: null,
}
const message = (n: number, role: 'user' | 'assistant'): SessionEventDraft => ({
  type: 'message.added',
  id: id(n),
  parentId: n === 1 ? null : id(n - 1),
  turnId,
  role,
  origin: role === 'user' ? 'user' : 'model',
  text: 'x',
  attachments: [],
  requestId: null,
})
const tool = (n: number, name: string): SessionEventDraft => ({
  type: 'tool.requested',
  id: id(n),
  parentId: id(n - 1),
  turnId,
  callId: CallId.parse(`call_${n}`),
  parentCallId: null,
  tool: name,
  arguments: '{}',
})
const kinds = (state: SessionState) =>
  rowsOf(state).map(row => (row.kind === 'group' ? `group ${row.itemIds.length}` : row.kind))

describe('rows', () => {
  it('folds neighbouring looks and ends a turn with its footer', () =>
    expect(
      kinds(
        folded(
          message(1, 'user'),
          started,
          tool(2, 'read'),
          tool(3, 'grep'),
          message(4, 'assistant'),
          tool(5, 'edit'),
          ended,
        ),
      ),
    ).toEqual(['item', 'group 2', 'item', 'item', 'footer']))
  it('shows work while it runs, an ask instead when it waits', () => {
    const state = folded(message(1, 'user'), started)
    expect(kinds(state)).toEqual(['item', 'working'])
    foldSession(state, {
      type: 'permission.asked',
      seq: 3,
      at: 3,
      batchId: 'ask_1' as never,
      turnId,
      calls: [
        {
          callId: CallId.parse('call_1'),
          tool: 'bash',
          kind: 'command',
          exact: 'ls',
          where: '/',
          reason: '',
          rule: null,
          remember: [],
          dirty: [],
        },
      ],
    })
    expect(kinds(state)).toEqual(['item', 'ask'])
  })
  it('leaves changes of the list out, also where one ends the turn', () =>
    expect(
      kinds(
        folded(message(1, 'user'), started, tool(2, 'read'), tool(3, 'todo'), tool(4, 'list'), tool(5, 'todo'), ended),
      ),
    ).toEqual(['item', 'group 2', 'footer']))
  it('keeps its keys while the path grows', () => {
    const state = folded(message(1, 'user'), started, tool(2, 'read'), tool(3, 'read'))
    const before = rowsOf(state).map(row => row.key)
    foldSession(state, { ...tool(4, 'list'), seq: 5, at: 5 } as never)
    expect(rowsOf(state).map(row => row.key)).toEqual(before)
  })

  const again = TurnId.parse('trn_2')
  const other = (itemId: ItemId, kind: 'prompt' | 'answer', current = false) => ({
    ...{ itemId, kind, current, at: 0, turns: 1, text: 'x' },
  })
  it('has other prompts under the prompt and other answers before the answer, by the path and not by what was told', () => {
    const state = folded(
      ...[started, message(1, 'user'), tool(2, 'todo'), message(3, 'assistant'), ended],
      { type: 'head.moved', from: id(3), to: id(1), reason: 'rerun', checkpoint: null },
      { type: 'turn.started', turnId: again, mode: 'default', producer, after: id(1) },
      { ...message(4, 'assistant'), parentId: id(1), turnId: again } as SessionEventDraft,
      { ...ended, turnId: again } as SessionEventDraft,
    )
    const points = [
      { parentId: null, branches: [other(id(1), 'prompt', true), other(id(9), 'prompt')] },
      { parentId: id(1), branches: [other(id(2), 'answer', true), other(id(4), 'answer')] },
    ]
    const told = () => rowsOf(state, points).map(row => (row.kind === 'item' ? row.itemId : row.key))
    expect(told()).toEqual([id(1), 'branch prompt null', `branch answer ${id(1)}`, id(4), `end ${again}`])
    foldSession(state, {
      type: 'head.moved',
      from: id(4),
      to: id(3),
      reason: 'switch',
      checkpoint: null,
      seq: 10,
      at: 9,
    })
    expect(told()).toEqual([id(1), 'branch prompt null', `branch answer ${id(1)}`, id(3), `end ${turnId}`])
  })
  it('says that it was rewound until the conversation goes on', () => {
    const state = folded(started, message(1, 'user'), message(2, 'assistant'), ended, {
      ...{ type: 'head.moved', from: id(2), to: null, reason: 'rewind', checkpoint: null, requestId: 'req' as never },
    })
    expect(kinds(state)).toEqual(['rewound'])
    foldSession(state, { ...message(3, 'user'), parentId: null, seq: 6, at: 6 } as never)
    expect(kinds(state)).toEqual(['item', 'footer'])
  })
})

describe('visible', () => {
  it.each([
    ['rm -rf /\u202etxt.exe', 'rm -rf /⟦U+202E⟧txt.exe'],
    ['ls\r rm', 'ls␍ rm'],
    ['a\u200bb', 'a⟦U+200B⟧b'],
    ['\u001b[2K', '␛[2K'],
    ['tag\u{e0041}', 'tag⟦U+E0041⟧'],
    ['line\n\ttab 你好 é 🙂', 'line\n\ttab 你好 é 🙂'],
  ])('%j', (text, shown) => expect(visible(text)).toBe(shown))
})

describe('ansiSpans', () => {
  const told = (text: string) => ansiSpans(text).map(span => [span.text, span.colour])
  it('keeps the sixteen colours', () =>
    expect(told('\u001b[31mred\u001b[0m plain \u001b[1;92mgreen')).toEqual([
      ['red', 1],
      [' plain ', null],
      ['green', 10],
    ]))
  it('drops every other escape and shows the last state of a line', () => {
    expect(told('\u001b]0;title\u0007a\u001b[2Kb\u001b[?25l')).toEqual([['ab', null]])
    expect(told('10%\r50%\r100%\nnext\r\n')).toEqual([['100%\nnext\n', null]])
  })
  it('skips the arguments of wide colours', () =>
    expect(told('\u001b[38;2;1;2;3mx\u001b[38;5;2my')).toEqual([
      ['x', null],
      ['y', 2],
    ]))
})

describe('diff lines', () => {
  const told = (lines: ReturnType<typeof linesBetween> | null) =>
    lines?.map(({ kind, number, text }) => `${kind} ${number ?? ''} ${text}`)
  it('reads the patch the core made as it reads two texts', () => {
    const patch = '===\n--- a\n+++ a\n@@ -1,2 +1,2 @@\n keep\n-old\n+new\n'
    expect(told(linesOfPatch(patch))).toEqual(['same 1 keep', 'del  old', 'add 2 new'])
    expect(told(linesBetween('keep\nold\n', 'keep\nnew\n'))).toEqual(['same 1 keep', 'del  old', 'add 2 new'])
  })
  it('takes a content that only looks like a patch as new text', () => {
    expect(linesOfPatch('@@ -1 +1 @@\n-x')).toBeNull()
    expect(told(linesOfNew('a\n\nb\n'))).toEqual(['add 1 a', 'add 2 ', 'add 3 b'])
  })
})

describe('placeOf', () => {
  const rootId = RootId.parse('root_1')
  const workspace = {
    workspaceId: WorkspaceId.parse('wsp_1'),
    roots: [{ rootId, absolute: '/w', name: 'w', readOnly: false }],
  } as unknown as WorkspaceInfo
  it.each([
    ['src/a.ts#L12', { path: { rootId, path: 'src/a.ts' }, line: 12 }],
    ['./src/a.ts:7:3', { path: { rootId, path: 'src/a.ts' }, line: 7 }],
    ['/w/b.md', { path: { rootId, path: 'b.md' } }],
    ['a%20b.md', { path: { rootId, path: 'a b.md' } }],
    ['../etc/passwd', null],
    ['/etc/passwd', null],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['#top', null],
  ])('%s', (target, place) => expect(placeOf(target, workspace)).toEqual(place))
})

describe('triggers and words', () => {
  it('/ stands alone, @ after a space', () => {
    expect(triggerIn('/mo', 3)).toEqual({ kind: '/', from: 0, query: 'mo' })
    expect(triggerIn('see /mo', 7)).toBeNull()
    expect(triggerIn('see @src/a', 10)).toEqual({ kind: '@', from: 4, query: 'src/a' })
    expect(triggerIn('a@b.de', 6)).toBeNull()
    expect(triggerIn('# use tabs @all', 15)).toEqual({ kind: '#', from: 0, query: ' use tabs @all' })
    for (const words of ['#12 is broken', '## Heading', '# Heading\n\ntext', 'see #tabs'])
      expect(triggerIn(words, words.length)).toBeNull()
  })
  it('names a call by what ran, or by what can be read of it', () => {
    const item = rowsOf(
      folded(message(1, 'user'), { ...tool(2, 'bash'), arguments: '{"command":"npm test"}' } as SessionEventDraft),
    )
    expect(item).toHaveLength(2)
    const state = folded(message(1, 'user'), {
      ...tool(2, 'edit'),
      arguments: '{"path":"a.ts", broken',
    } as SessionEventDraft)
    const broken = state.items.get(id(2))
    expect(broken?.kind === 'tool' && toolWords(broken)).toEqual({ verb: 'chat.verb.edit', target: '', file: '' })
  })
})
