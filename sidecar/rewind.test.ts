/** Taking a conversation and its files back, over the real core, its tools, ledger, log and disk. */

import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ItemId } from '#contract/id'
import type { PromptPart } from '#contract/session'
import { undoableMove } from '#contract/session-moves'
import { fingerprint } from './checkpoint/fingerprint.case.ts'
import { bash, createStage, newRequest, read, type Stage, script, type Talk, talkIn, write } from './rewind.case.ts'

const gitEnv = ({ home }: Stage) => ({
  ...{ PATH: process.env.PATH, HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' },
})
const gitIn =
  (stage: Stage) =>
  (...args: string[]) =>
    execFileSync('git', ['-C', stage.folder, ...args], { env: gitEnv(stage) })

let stage: Stage
let talk: Talk
beforeEach(async () => {
  stage = await createStage({ files: { 'a.txt': 'one\n', 'mine.txt': 'mine\n' } })
  talk = await stage.session()
})
afterEach(() => stage.end())

describe('rewind', () => {
  it('takes back the conversation and what the agent wrote, by tools and by commands; Undo brings all of it back', async () => {
    await talk.turn(script([read('a.txt'), write('a.txt', 'two\n')], 'first'))
    const second = await talk.turn(
      script([
        write('a.txt', 'three\n'),
        write('b.txt', 'new\n'),
        bash('mkdir d && echo made > d/c.txt && rm mine.txt'),
      ]),
    )
    const before = { head: (await talk.facts()).head, said: await talk.said() }
    const preview = await stage.client.head.preview({ sessionId: talk.sessionId, to: { turns: 1 } })
    expect(preview).toMatchObject({
      leaves: { turns: 1, messages: 2 },
      running: false,
      files: { unavailable: null, more: 0 },
      commands: [{ command: expect.stringContaining('mkdir d'), exitCode: 0, running: false, movesRefs: false }],
      refs: [],
    })
    expect(preview.files.lines.map(({ path, action, added, removed }) => [path.path, action, added, removed])).toEqual([
      ['a.txt', 'restore', 1, 1],
      ['b.txt', 'remove', 0, 1],
      ['d/c.txt', 'remove', 0, 1],
      ['mine.txt', 'restore', 1, 0],
    ])
    const moved = await talk.rewind({ before: second })
    expect(moved).toMatchObject({ moved: true, prompt: { text: expect.stringContaining('script:'), attachments: [] } })
    expect(moved.files.map(({ action }) => action)).toEqual(['restore', 'remove', 'remove', 'restore'])
    expect(await Promise.all(['a.txt', 'b.txt', 'd/c.txt', 'mine.txt'].map(stage.onDisk))).toEqual([
      'two\n',
      null,
      null,
      'mine\n',
    ])
    expect(await talk.said()).toEqual(['script', 'first'])

    await stage.restart()
    expect(undoableMove(await talk.facts())).toMatchObject({ reason: 'rewind' })
    expect(await talk.undo()).toMatchObject({ moved: true })
    expect(await Promise.all(['a.txt', 'b.txt', 'd/c.txt', 'mine.txt'].map(stage.onDisk))).toEqual([
      'three\n',
      'new\n',
      'made\n',
      null,
    ])
    expect({ head: (await talk.facts()).head, said: await talk.said() }).toEqual(before)
  })

  it('twice with the same id is once', async () => {
    const first = await talk.turn(script([read('a.txt'), write('a.txt', 'two\n')]))
    const again = {
      sessionId: talk.sessionId,
      requestId: newRequest(),
      to: { before: first as ItemId },
      what: 'both' as const,
    }
    const both = [await stage.client.head.rewind(again), await stage.client.head.rewind(again)]
    expect(both).toMatchObject([
      { moved: true, prompt: {} },
      { moved: false, prompt: {} },
    ])
    expect((await talk.facts()).moves).toHaveLength(1)
  })
})

it.skipIf(process.platform !== 'linux')(
  'a rewind is all or nothing, and a checkpoint: where a path refuses, all stays and it is said which; without that one it goes',
  { timeout: 60_000 },
  async () => {
    const { sessionId } = talk
    const closed = join(stage.folder, 'closed')
    await mkdir(closed)
    await stage.put('closed/z.txt', 'z\n')
    const writes = ['mine.txt', 'closed/z.txt'].flatMap(path => [read(path), write(path, 'changed\n')])
    await talk.turn(script([...writes, write('x.txt', 'x\n')]))
    const paths = ['mine.txt', 'x.txt', 'closed/z.txt']
    const all = async () => [await Promise.all(paths.map(stage.onDisk)), await talk.said(), (await talk.facts()).head]
    const before = await all()
    const mount = (...args: string[]) => execFileSync('mount', [...args, closed], { stdio: 'pipe' })
    mount('--bind', closed)
    try {
      mount('-o', 'remount,bind,ro')
      await expect(talk.rewind({ turns: 1 })).rejects.toMatchObject({
        message: expect.stringMatching(/^Nothing was moved: .*z\.txt/),
      })
      expect(await all()).toEqual(before)
      const leave = [stage.at('closed/z.txt')]
      const request = { sessionId, requestId: newRequest(), to: { turns: 1 }, what: 'both' as const, leave }
      expect(await stage.client.head.rewind(request)).toMatchObject({ moved: true })
      expect(await all()).toEqual([['mine\n', null, 'changed\n'], [], null])
      await talk.undo()
      expect(await all()).toEqual(before)
    } finally {
      execFileSync('umount', ['-l', closed])
    }
    const { text } = await stage.client.session.export({ sessionId })
    const events = text.split('\n').flatMap(line => (line ? [JSON.parse(line) as Record<string, unknown>] : []))
    expect(events.flatMap(({ type }) => (/^(restore|head)\./.test(String(type)) ? type : []))).toEqual([
      ...['restore.begun', 'restore.failed', 'restore.begun', 'head.moved', 'restore.begun', 'head.moved'],
    ])
    const checkpoints = events.flatMap(({ type, checkpoint }) => (type === 'head.moved' ? checkpoint : []))
    expect(checkpoints).toEqual([expect.stringMatching(/^chk_/), expect.stringMatching(/^chk_/)])
  },
)

describe('what others wrote', () => {
  const three = 'one\ntwo\nthree\n'
  const linesOf = async () => {
    const { files } = await stage.client.head.preview({ sessionId: talk.sessionId, to: { turns: 1 } })
    return files.lines.map(({ path, action, why, merge }) => [path.path, action, why, merge?.conflicts ?? null])
  }

  it('is kept and told; a merge takes out the agent’s lines alone, and Undo has them again', async () => {
    await Promise.all(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(path => stage.put(path, three)))
    const edits = ['a.txt', 'b.txt', 'c.txt', 'd.txt'].flatMap(path => [
      read(path),
      write(path, 'one\ntwo\nTHREE by the agent\n'),
    ])
    await talk.turn(script(edits))
    // A person saves another line of one and the same line of another, has unsaved words in a third.
    await save('a.txt', 'ONE by me\ntwo\nTHREE by the agent\n')
    await stage.put('b.txt', 'one\ntwo\nTHREE by the agent and me\n')
    const unsaved = await typeIn('c.txt', 'unsaved\n')
    expect(await linesOf()).toEqual([
      ['a.txt', 'keep', 'person', 0],
      ['b.txt', 'keep', 'outside', null],
      ['c.txt', 'keep', 'unsaved', 0],
      ['d.txt', 'restore', null, null],
    ])
    const to = { turns: 1 }
    const path = stage.at('a.txt')
    expect(await stage.client.head.previewFile({ sessionId: talk.sessionId, to, path })).toEqual({
      now: 'ONE by me\ntwo\nTHREE by the agent\n',
      back: three,
      merged: 'ONE by me\ntwo\nthree\n',
    })
    const merge = ['a.txt', 'c.txt'].map(stage.at)
    const { sessionId } = talk
    const moved = await stage.client.head.rewind({ sessionId, requestId: newRequest(), to, what: 'both', merge })
    expect(moved.files.map(({ path, action }) => [path.path, action])).toEqual([
      ['a.txt', 'merge'],
      ['b.txt', 'keep'],
      ['c.txt', 'merge'],
      ['d.txt', 'restore'],
    ])
    expect(await Promise.all(['a.txt', 'b.txt', 'c.txt', 'd.txt'].map(stage.onDisk))).toEqual([
      'ONE by me\ntwo\nthree\n',
      'one\ntwo\nTHREE by the agent and me\n',
      three,
      three,
    ])
    expect(await unsaved()).toBe(`unsaved\n${three}`)
    await talk.undo()
    expect(await Promise.all(['a.txt', 'd.txt'].map(stage.onDisk))).toEqual([
      'ONE by me\ntwo\nTHREE by the agent\n',
      'one\ntwo\nTHREE by the agent\n',
    ])
    expect(await unsaved()).toContain('unsaved\n')
  })

  it('another conversation’s writes stay, and so does what was changed between a rewind and its Undo', async () => {
    const other = await stage.session()
    await talk.turn(script([write('x.txt', 'x\n'), write('y.txt', 'y\n'), read('a.txt'), write('a.txt', 'mine\n')]))
    await other.turn(script([read('a.txt'), write('a.txt', 'the other’s\n')]))
    expect(await linesOf()).toEqual([
      ['a.txt', 'keep', 'other_session', null],
      ['x.txt', 'remove', null, null],
      ['y.txt', 'remove', null, null],
    ])
    await talk.rewind({ turns: 1 })
    await stage.put('x.txt', 'a person’s now\n')
    const undone = await talk.undo()
    expect(undone.files.map(({ path, action, why }) => [path.path, action, why])).toEqual([
      ['x.txt', 'keep', 'outside'],
      ['y.txt', 'restore', null],
    ])
    expect(await Promise.all(['a.txt', 'x.txt', 'y.txt'].map(stage.onDisk))).toEqual([
      'the other’s\n',
      'a person’s now\n',
      'y\n',
    ])
  })

  const opened = (path: string) => stage.client.document.open({ workspaceId: stage.workspaceId, path: stage.at(path) })
  const replaced = async (path: string, make: (text: string) => { from: number; to: number; text: string }) => {
    const { state, text } = await opened(path)
    const { documentId, version: baseVersion } = state
    await stage.client.document.change({ documentId, baseVersion, changes: [make(text)] })
    return documentId
  }
  const typeIn = async (path: string, text: string) => {
    await replaced(path, () => ({ from: 0, to: 0, text }))
    return async () => (await opened(path)).text
  }
  const save = async (path: string, text: string) => {
    const documentId = await replaced(path, before => ({ from: 0, to: before.length, text }))
    await stage.client.document.save({ documentId })
  }
})

describe('while and after a turn', () => {
  it('what runs is stopped first; before a message in the middle of a turn, what came before it stays', async () => {
    const prompt = script([
      [{ text: 'I begin.' }, write('x.txt', 'x\n')],
      [{ text: 'I go on.' }, write('y.txt', 'y\n')],
      [{ text: 'I wait.' }, bash('sleep 30 # waits')],
    ])
    const { sessionId } = talk
    await talk.until(
      () =>
        stage.client.session.prompt({ sessionId, requestId: newRequest(), parts: [{ kind: 'text', text: prompt }] }),
      event => event.type === 'tool.started' && JSON.stringify(event.arguments).includes('sleep 30'),
    )
    const { items } = await stage.client.session.open({ sessionId })
    const second = items.find(item => item.kind === 'message' && item.text === 'I go on.')
    const preview = await stage.client.head.preview({ sessionId, to: { before: second?.id as ItemId } })
    expect(preview).toMatchObject({ running: true, commands: [{ command: 'sleep 30 # waits' }] })
    const moved = await talk.rewind({ before: second?.id as ItemId })
    expect(moved).toMatchObject({ moved: true, prompt: null })
    expect(moved.files.map(({ path, action }) => [path.path, action])).toEqual([['y.txt', 'remove']])
    expect(await Promise.all(['x.txt', 'y.txt'].map(stage.onDisk))).toEqual(['x\n', null])
    expect(await talk.facts()).toMatchObject({ running: null })
    expect(await talk.said()).toEqual(['script', 'I begin.'])
  })

  it('Undo is refused when the conversation went on; a repository that moved is told', async () => {
    const git = gitIn(stage)
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-qm', 'first')
    await talk.turn(script([write('x.txt', 'x\n'), bash('git checkout -q -b other')]))
    const { sessionId } = talk
    const { commands, refs } = await stage.client.head.preview({ sessionId, to: { turns: 1 } })
    expect(commands).toMatchObject([{ movesRefs: true, exitCode: 0 }])
    const commit = git('rev-parse', 'HEAD').toString().trim()
    const there = { root: 'project', commit }
    expect(refs).toEqual([{ before: { ...there, branch: 'main' }, now: { ...there, branch: 'other' } }])
    const moved = await talk.rewind({ turns: 1 })
    expect(moved.moved).toBe(true)
    const [move] = (await talk.facts()).moves
    await talk.turn(script([], 'something else'))
    await expect(stage.client.head.undo({ sessionId, moveId: move?.requestId ?? newRequest() })).rejects.toMatchObject({
      code: 'stale',
      message: expect.stringContaining('went on since'),
    })
    expect(await talk.said()).toEqual(['script', 'something else'])
  })
})

describe('what is never touched', () => {
  it('the repository: index, stash, refs and hooks; sub-agents’ files and those in a nested repository come back all the same', {
    timeout: 60_000,
  }, async () => {
    const git = gitIn(stage)
    git('init', '-q', '-b', 'main')
    git('add', '.')
    git('commit', '-qm', 'first')
    await stage.put('mine.txt', 'stashed\n')
    git('stash', 'push', '-q')
    await stage.put('mine.txt', 'staged\n')
    git('add', 'mine.txt')
    git('tag', 'here')
    git('init', '-q', '-b', 'main', 'nested')
    await stage.put('nested/n.txt', 'nested\n')
    const hooks = ['.git/hooks/post-checkout', '.git/hooks/post-index-change', 'nested/.git/hooks/post-checkout']
    for (const hook of hooks) {
      await stage.put(hook, `#!/bin/sh\ntouch ${join(stage.home, 'ran')}\n`)
      await chmod(join(stage.folder, hook), 0o755)
    }
    const handed = script([write('by-agent.txt', 'the sub-agent’s\n')])
    await talk.turn(
      script([
        { call: 'task', arguments: { agent: 'general', description: 'writes', prompt: handed } },
        bash('echo changed > nested/n.txt && echo changed > mine.txt'),
      ]),
    )
    const paths = ['by-agent.txt', 'nested/n.txt', 'mine.txt']
    const onDisk = () => Promise.all(paths.map(stage.onDisk))
    const repositories = () => Promise.all(['.git', 'nested/.git'].map(each => fingerprint(join(stage.folder, each))))
    const [written, before] = [await onDisk(), await repositories()]
    expect(written).toEqual(['the sub-agent’s\n', 'changed\n', 'changed\n'])
    await talk.rewind({ turns: 1 })
    expect([await onDisk(), await repositories()]).toEqual([[null, 'nested\n', 'staged\n'], before])
    await talk.undo()
    expect([await onDisk(), await repositories()]).toEqual([written, before])
    expect([git('stash', 'list').toString(), git('diff', '--cached', '--name-only').toString()]).toEqual([
      expect.stringContaining('stash@{0}'),
      'mine.txt\n',
    ])
    await expect(stat(join(stage.home, 'ran'))).rejects.toThrow(/ENOENT/)
  })

  it('what could not be had again, what has no room, what the rules leave out, and what is damaged: each told, the rest comes back', {
    timeout: 60_000,
  }, async () => {
    await stage.put('.gitignore', 'dist/\n')
    await mkdir(join(stage.folder, 'd'))
    await stage.put('d/deep.txt', 'deep\n')
    const makes = ['mkdir dist node_modules', 'echo built > dist/out.js', 'echo heavy > node_modules/p.js']
    await talk.turn(
      script([
        ...[read('a.txt'), write('a.txt', 'two\n'), write('x.txt', 'x\n')],
        bash([...makes, 'head -c 17000000 /dev/zero > large.bin', 'rm -r mine.txt d'].join(' && ')),
      ]),
    )
    // A person puts a folder where a file was, and a file where a folder was.
    await mkdir(join(stage.folder, 'mine.txt'))
    await stage.put('mine.txt/own.txt', 'own\n')
    await stage.put('d', 'own\n')
    const { files } = await stage.client.head.preview({ sessionId: talk.sessionId, to: { turns: 1 } })
    expect(files.lines.map(({ path, action, why }) => [path.path, action, why])).toEqual([
      ['a.txt', 'restore', null],
      ['d', 'keep', 'outside'],
      ['d/deep.txt', 'cannot', 'in_the_way'],
      ['large.bin', 'cannot', 'not_kept'],
      ['mine.txt', 'cannot', 'in_the_way'],
      ['mine.txt/own.txt', 'keep', 'outside'],
      ['x.txt', 'remove', null],
    ])
    const pack = join(stage.home, 'belay/data/checkpoints', stage.rootId, 'contents/1.pack')
    const bytes = await readFile(pack)
    bytes.write('ONE', bytes.indexOf('one\n'))
    await writeFile(pack, bytes)
    const moved = await talk.rewind({ turns: 1 })
    expect(moved.files.map(({ path, action, why }) => [path.path, action, why])).toEqual([
      ['a.txt', 'cannot', 'damaged'],
      ['d', 'keep', 'outside'],
      ['d/deep.txt', 'cannot', 'in_the_way'],
      ['large.bin', 'cannot', 'not_kept'],
      ['mine.txt', 'cannot', 'in_the_way'],
      ['mine.txt/own.txt', 'keep', 'outside'],
      ['x.txt', 'remove', null],
    ])
    const left = ['a.txt', 'x.txt', 'dist/out.js', 'node_modules/p.js', 'd', 'mine.txt/own.txt']
    const stands = ['two\n', null, 'built\n', 'heavy\n', 'own\n', 'own\n']
    expect(await Promise.all(left.map(stage.onDisk))).toEqual(stands)
    expect((await stat(join(stage.folder, 'large.bin'))).size).toBe(17_000_000)
  })
})

describe('re-run, edit, branches, continue', () => {
  it('a re-run answers the same words anew, attachments included; the earlier answer is a branch, with its files', async () => {
    const attached = { kind: 'bytes', name: 'n.txt', mediaType: 'text/plain', base64: 'bm90ZQ==' } as const
    const prompt = await talk.turn(script([bash('date +%N > made.txt')], 'an answer'), [attached])
    const first = await stage.onDisk('made.txt')
    const { sessionId } = talk
    const again = { sessionId, requestId: newRequest() }
    expect(await talk.until(() => stage.client.head.rerun(again))).toEqual({ started: true })
    expect(await stage.client.head.rerun(again)).toEqual({ started: false })
    expect(await talk.prompts()).toEqual([prompt])
    const second = await stage.onDisk('made.txt')
    expect(second).not.toBe(first)
    const { points } = await stage.client.head.branches({ sessionId })
    expect(points).toMatchObject([
      {
        parentId: prompt,
        branches: [
          { kind: 'answer', current: false, text: 'an answer', turns: 1 },
          { kind: 'answer', current: true, text: 'an answer', turns: 1 },
        ],
      },
    ])
    await talk.rewind({ branch: points[0]?.branches[0]?.itemId as ItemId })
    expect(await stage.onDisk('made.txt')).toBe(first)
    await talk.rewind({ branch: points[0]?.branches[1]?.itemId as ItemId })
    expect(await stage.onDisk('made.txt')).toBe(second)
    await talk.undo()
    expect(await stage.onDisk('made.txt')).toBe(first)
  })

  it('an edited prompt takes the place of the other, with or without its files', async () => {
    const attached = { kind: 'bytes', name: 'n.txt', mediaType: 'text/plain', base64: 'bm90ZQ==' } as const
    await talk.turn('hello')
    const prompt = await talk.turn(script([write('x.txt', 'x\n')]), [attached])
    const { sessionId } = talk
    const { prompt: freed } = await stage.client.head.preview({ sessionId, to: { before: prompt } })
    const parts: PromptPart[] = [
      { kind: 'text', text: script([write('y.txt', 'y\n')], 'edited') },
      ...(freed?.attachments ?? []).map(attachment => ({ kind: 'kept' as const, attachment })),
    ]
    const edit = { sessionId, requestId: newRequest(), itemId: prompt, parts, files: true }
    const moved = await talk.until(() => stage.client.head.edit(edit))
    expect(moved).toMatchObject({ moved: true, files: [{ action: 'remove' }] })
    expect(await stage.client.head.edit(edit)).toMatchObject({ moved: false, itemId: moved.itemId })
    expect(await Promise.all(['x.txt', 'y.txt'].map(stage.onDisk))).toEqual([null, 'y\n'])
    const { items } = await stage.client.session.open({ sessionId })
    expect(items.find(({ id }) => id === moved.itemId)).toMatchObject({ attachments: [{ name: 'n.txt', bytes: 4 }] })
    expect(await talk.said()).toEqual(['hello', 'You said: hello', 'script', 'edited'])
    const { points } = await stage.client.head.branches({ sessionId })
    expect(points.map(({ branches }) => branches.map(({ kind, current }) => [kind, current]))).toEqual([
      [
        ['prompt', false],
        ['prompt', true],
      ],
    ])
    // Back to the one that was edited: its files come with it where that is asked for.
    await talk.rewind({ branch: prompt }, 'conversation')
    expect(await stage.onDisk('y.txt')).toBe('y\n')
    expect(await talk.said()).toEqual(['hello', 'You said: hello', 'script', 'done'])
  })

  it('continue goes on with a turn that stopped early, without new words, and not with one that ended', async () => {
    const { workspaceId, client } = stage
    const made = await client.session.create({
      workspaceId,
      mode: 'acceptEdits',
      model: 'scripted/default',
      flags: { maxTurns: 1 },
    })
    const limited = talkIn(stage, made.sessionId)
    const { sessionId } = limited
    await limited.turn(script([write('x.txt', 'x\n')], 'after the limit'))
    const again = { sessionId, requestId: newRequest() }
    expect(await limited.until(() => client.head.continue(again))).toEqual({ started: true })
    expect(await client.head.continue(again)).toEqual({ started: false })
    expect(await limited.said()).toEqual(['script', 'after the limit'])
    await expect(client.head.continue({ sessionId, requestId: newRequest() })).rejects.toMatchObject({
      code: 'invalid',
    })
    // The same after an error and after a stop.
    await talk.turn(script([[{ error: 'bad_request', times: 1 }, { text: 'after the error' }]]))
    await talk.until(() => client.head.continue({ sessionId: talk.sessionId, requestId: newRequest() }))
    expect(await talk.said()).toEqual(['script', 'after the error'])
    const slow = script([[{ text: 'I begin.' }, bash('sleep 30 # waits')]], 'Then on.')
    const parts = [{ kind: 'text' as const, text: slow }]
    await talk.until(
      () => client.session.prompt({ sessionId: talk.sessionId, requestId: newRequest(), parts }),
      event => event.type === 'tool.started',
    )
    await talk.until(() => client.session.stop({ sessionId: talk.sessionId }))
    await talk.until(() => client.head.continue({ sessionId: talk.sessionId, requestId: newRequest() }))
    expect((await talk.said()).slice(2)).toEqual(['script', 'I begin.', 'Then on.'])
    // Rewinding by turns goes to before the words, whatever went on from them.
    expect(await limited.rewind({ turns: 1 })).toMatchObject({ moved: true, prompt: {} })
    expect([await limited.said(), await stage.onDisk('x.txt')]).toEqual([[], null])
  })
})

it('a fork takes back what it wrote itself, and never what the conversation it comes from wrote', async () => {
  await talk.turn(script([read('a.txt'), write('a.txt', 'the parent’s\n')]))
  const { head } = await talk.facts()
  const made = await stage.client.session.fork({ sessionId: talk.sessionId, atItemId: head, requestId: newRequest() })
  const fork = talkIn(stage, made.sessionId)
  await fork.turn(script([write('x.txt', 'the fork’s\n')]))
  const moved = await fork.rewind({ turns: 9 })
  expect(moved.files.map(({ path, action, why }) => [path.path, action, why])).toEqual([
    ['a.txt', 'keep', 'other_session'],
    ['x.txt', 'remove', null],
  ])
  expect([await fork.said(), await stage.onDisk('a.txt'), await stage.onDisk('x.txt')]).toEqual([
    [],
    'the parent’s\n',
    null,
  ])
  expect(await talk.said()).toEqual(['script', 'done'])
})

describe('review', () => {
  it('counts what was taken back as nobody’s work, and what is brought again as the agent’s', async () => {
    const list = async () => {
      const scope = { kind: 'session' as const, sessionId: talk.sessionId }
      const { files } = await stage.client.review.list({ workspaceId: stage.workspaceId, scope })
      return files.map(({ path, change, added, removed, by }) => [path.path, change, added, removed, by])
    }
    await talk.turn(script([read('a.txt'), write('a.txt', 'two\n')]))
    const first = [['a.txt', 'changed', 1, 1, 'agent']]
    expect(await list()).toEqual(first)
    await talk.turn(script([read('a.txt'), write('a.txt', 'two\nthree\n'), write('b.txt', 'new\n')]))
    const both = [
      ['a.txt', 'changed', 2, 1, 'agent'],
      ['b.txt', 'created', 1, 0, 'agent'],
    ]
    expect(await list()).toEqual(both)
    await talk.rewind({ turns: 1 }, 'files')
    expect(await list()).toEqual(first)
    await talk.undo()
    expect(await list()).toEqual(both)
    await talk.rewind({ turns: 9 })
    expect(await list()).toEqual([])
  })
})
