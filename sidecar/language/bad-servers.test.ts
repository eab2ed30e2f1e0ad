/** Servers that behave badly: none fails a write, hangs it, or is believed about a text that it did not see. */

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { LanguageServerSetting } from '#contract/language'
import type { ServerDefinition } from './definition.ts'
import { fake, fakeLimits, fakeProgram, heldBy } from './fake.case.ts'
import { definitionsWith } from './registry.ts'
import { createLanguageRig, type LanguageRig } from './rig.case.ts'

let rig: LanguageRig
const begin = async (behaviour: object, definition: Partial<ServerDefinition> = {}, more: object = {}) => {
  rig = await createLanguageRig({ definitions: [fake(behaviour, definition)], limits: { ...fakeLimits, ...more } })
}
afterEach(async () => {
  await rig.end()
  expect([...rig.children]).toEqual([])
})
const state = () => rig.language.servers()[0]
const held = (path?: string) => heldBy(rig, path)

describe('a server that fails', () => {
  it.each([
    ['exits at once', { fault: 'exit' }, /ended with code 3.*no licence/],
    ['prints garbage', { fault: 'garbage' }, /cannot be read/],
    ['hangs in initialize', { fault: 'deaf' }, /did not answer within 0.3 s/],
  ])('%s: it is tried three times, then left alone until a person asks', async (_, behaviour, why) => {
    await begin(behaviour, {}, behaviour.fault === 'deaf' ? { initializeMs: 300 } : {})
    for (let tried = 0; tried < 3; tried++) expect((await rig.verdict('a.fake', 'BAD'))?.state).toBe('none')
    expect(state()).toMatchObject({ state: 'broken', problem: expect.stringMatching(why) })
    expect(rig.children.size).toBe(0)
    expect((await rig.write('a.fake', 'BAD again')).lsp).toMatchObject([{ state: 'none' }])
    expect(rig.children.size).toBe(0)
    const { id = '' } = state() ?? {}
    await rig.language.restart(id)
    expect(state()?.state).toBe('idle')
    // What it said in each of its lives is still there.
    const { text } = rig.language.log(id, 0)
    expect(text.match(/\[Belay\] starting /g)).toHaveLength(3)
    if (behaviour.fault === 'exit') expect(text.match(/^no licence$/gm)).toHaveLength(3)
  })

  it('that is switched off is listed as such and never started', async () => {
    rig = await createLanguageRig({ definitions: [{ ...fake({}), off: true }] })
    expect((await rig.write('a.fake', 'BAD')).lsp).toEqual([])
    expect(state()).toMatchObject({ state: 'off', root: null, problem: null })
    expect(rig.children.size).toBe(0)
  })

  it('is not there at all: nothing is claimed, and it is said what to do', async () => {
    rig = await createLanguageRig({
      definitions: [fake({}, { program: { kind: 'path', commands: [['no-such-server']] }, install: 'get it' })],
    })
    expect((await rig.write('a.fake', 'BAD')).lsp).toMatchObject([{ state: 'none' }])
    expect(state()).toMatchObject({ state: 'missing', problem: 'Fake was not found: get it' })
  })

  it('dies in the middle of a write: that one has no verdict, the next has', async () => {
    await begin({ fault: 'dies' })
    expect(await rig.verdict('a.fake', 'BAD')).toMatchObject({ state: 'errors' })
    expect(await rig.verdict('a.fake', 'x BAD')).toMatchObject({ state: 'none' })
    expect(await rig.verdict('a.fake', 'xx BAD')).toMatchObject({ state: 'errors', items: [{ line: 1, column: 4 }] })
  })

  it('takes nothing any more and then dies: how it died is what is said', async () => {
    await begin({ fault: 'closes' })
    await rig.verdict('a.fake', 'BAD')
    let count = 0
    const problem = () => {
      void rig.write('a.fake', `${count++} BAD`, 50)
      return state()?.problem
    }
    await expect.poll(problem, { interval: 20 }).not.toBeNull()
    expect(state()?.problem).toMatch(/ended with code 4/)
  })

  it('stops reading: the write does not wait for it, and it is ended', async () => {
    await begin({ fault: 'unread' })
    const { lsp } = await rig.write('a.fake', 'x'.repeat(2_000_000), 200)
    expect(lsp).toMatchObject([{ state: 'pending' }])
    await expect.poll(() => state()?.problem).toMatch(/stopped reading/)
    await expect.poll(() => rig.children.size).toBe(0)
  })
})

describe('what is believed', () => {
  it('never answers: pending within the budget, and Stop ends the waiting', async () => {
    await begin({ diagnostics: 'none' })
    await rig.write('a.fake', 'ok', 1000)
    const began = performance.now()
    expect((await rig.write('a.fake', 'BAD', 200)).lsp).toMatchObject([{ state: 'pending', errorCount: 0, items: [] }])
    expect(performance.now() - began).toBeLessThan(5000)
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    const stopped = await rig.language.check([rig.at('a.fake')], { budgetMs: 30_000, signal: stop.signal })
    expect(stopped.lsp).toMatchObject([{ state: 'pending' }])
  })

  it('answers for older versions: not believed', async () => {
    await begin({ staleBy: -1 })
    expect((await rig.write('a.fake', 'BAD', 300)).lsp).toMatchObject([{ state: 'pending' }])
    expect((await rig.write('a.fake', 'fine', 300)).lsp).toMatchObject([{ state: 'pending' }])
  })

  it('names no versions: what comes sooner than it looks is about the text before', async () => {
    await begin({ versions: false, delayMs: 150 }, { looksAfterMs: 140 })
    const first = rig.write('a.fake', 'BAD', 5000)
    await expect.poll(async () => (await held()).texts.length).toBe(1)
    const second = rig.write('a.fake', 'fine', 5000)
    expect((await second).lsp).toMatchObject([{ state: 'clean' }])
    await first
  })

  it('two quick writes: the first is never told as if it were about the second', async () => {
    // Long enough for the second to come before the first is answered, however busy the machine is.
    await begin({ delayMs: 1500 })
    await rig.verdict('a.fake', 'ok')
    const first = await rig.write('a.fake', 'BAD', 40)
    const second = await rig.write('a.fake', 'fine', 15_000)
    expect(second.lsp).toMatchObject([{ state: 'clean' }])
    const { lsp, late } = first
    expect(lsp).toMatchObject([{ state: 'pending' }])
    expect(await late).toBeNull()
  })

  it('answers late: told later, whole', async () => {
    await begin({ delayMs: 400 })
    await rig.verdict('a.fake', 'ok')
    const { lsp, late } = await rig.write('a.fake', 'is BAD', 100)
    expect(lsp).toMatchObject([{ state: 'pending' }])
    expect(await late).toMatchObject([
      { state: 'errors', errorCount: 1, items: [{ line: 1, column: 4, source: 'fake' }] },
    ])
  })

  it('thinks again, and is known for it: the second word is told later', async () => {
    await begin({ afterthoughtMs: 300 }, { saysMoreLater: true })
    const { lsp, late } = await rig.write('a.fake', 'BAD')
    expect(lsp).toMatchObject([{ state: 'clean' }])
    expect(await late).toMatchObject([{ state: 'errors', errorCount: 1 }])
    const second = await rig.write('a.fake', 'BAD again')
    await rig.write('a.fake', 'another text')
    expect(await second.late).toBeNull()
  })

  it('is still reading the project: what it says before it has is not believed', async () => {
    await begin({ readsMs: 600 }, { ready: { method: '$/progress', where: { field: 'kind', is: 'end' } } })
    const { lsp, late } = await rig.write('a.fake', 'BAD', 100)
    expect(lsp).toMatchObject([{ state: 'pending' }])
    expect(await late).toMatchObject([{ state: 'errors', errorCount: 1 }])
    expect(await rig.verdict('a.fake', 'fine')).toMatchObject({ state: 'clean' })
  })

  it('stands beside another: it is not waited for, what it finds is told later; alone it is', async () => {
    const beside = fake({ delayMs: 400 }, { id: 'beside', extra: true, rootMarkers: ['mark'] })
    rig = await createLanguageRig({
      definitions: [fake({ blind: true }), beside, { ...beside, id: 'alone', languages: { '.alone': 'alone' } }],
      limits: fakeLimits,
    })
    await rig.put('mark', '')
    await rig.verdict('a.fake', 'ok')
    const { lsp, late } = await rig.write('a.fake', 'BAD')
    expect(lsp).toMatchObject([{ state: 'clean' }])
    expect(await late).toMatchObject([{ state: 'errors', errorCount: 1 }])
    expect((await rig.write('b.alone', 'BAD', 20_000)).lsp).toMatchObject([{ state: 'errors', errorCount: 1 }])
  })

  it('registers its pulls only later, and refuses the first ones: it is asked again', async () => {
    await begin({ diagnostics: 'register', refusals: 2 })
    expect(await rig.verdict('a.fake', 'BAD')).toMatchObject({ state: 'errors', errorCount: 1 })
    expect(await rig.verdict('a.fake', 'fine')).toMatchObject({ state: 'clean' })
  })

  it('floods: counted whole, twenty are shown; places outside the text are brought into it', async () => {
    await begin({ flood: 10_000 })
    const flooded = await rig.verdict('a.fake', 'x\n'.repeat(10))
    expect(flooded).toMatchObject({ errorCount: 10_000, truncated: true })
    expect(flooded?.items).toHaveLength(20)
    await rig.end()
    await begin({ outside: true })
    expect(await rig.verdict('a.fake', '\n\nBAD')).toMatchObject({ items: [{ line: 1, column: 1 }] })
  })

  it('counts in bytes: columns are told in the units of editors', async () => {
    await begin({ encoding: 'utf-8' })
    await rig.verdict('a.fake', '😀é')
    expect(await rig.verdict('a.fake', 'ok\n😀é BAD')).toMatchObject({ items: [{ line: 2, column: 5 }] })
    expect((await held()).texts).toMatchObject([{ text: 'ok\n😀é BAD' }])
  })
})

describe('the text of a server', () => {
  it('is exactly what is there, after any change, in either way of telling it', async () => {
    const changes = ['one\ntwo\nthree', 'one\ntwo two\nthree', '', 'a😀b', 'a😁b', 'a😁b\r\nc', 'a😁b\nc', 'a😁b\nc']
    for (const sync of [1, 2]) {
      await begin({ sync, encoding: sync === 1 ? 'utf-16' : 'utf-8' })
      for (const text of changes) {
        await rig.write('a.fake', text)
        expect((await held()).texts[0]?.text).toBe(text)
      }
      if (sync === 1) await rig.end()
    }
  })

  it('is not torn by a server that reads open files again: of those it never hears that they changed on disk', async () => {
    await begin({ rereads: true })
    await rig.write('a.fake', 'class A {\n}\n')
    await rig.write('b.fake', 'other')
    await rig.put('a.fake', 'class A {\n  one() {}\n  two() {}\n}\n')
    rig.changed.emit([
      { path: rig.at('a.fake'), change: 'changed', folder: false },
      { path: rig.at('c.fake'), change: 'created', folder: false },
      { path: rig.at('d.txt'), change: 'created', folder: false },
    ])
    await rig.language.check([rig.at('a.fake')], { budgetMs: 2000, signal: new AbortController().signal })
    await expect.poll(async () => (await held()).told.some(({ method }) => method.endsWith('WatchedFiles'))).toBe(true)
    const { texts, told } = await held()
    expect(texts.find(({ uri }) => uri.endsWith('a.fake'))?.text).toBe(
      await readFile(join(rig.folder, 'a.fake'), 'utf8'),
    )
    const heard = told.filter(({ method }) => method === 'workspace/didChangeWatchedFiles')
    expect(
      heard.flatMap(({ params }) => (params.changes as { uri: string }[]).map(({ uri }) => uri.split('/').at(-1))),
    ).toEqual(['c.fake'])
  })

  it('follows unsaved text of a person, and what changes on disk by other hands', async () => {
    await begin({})
    await rig.write('a.fake', 'saved')
    rig.type('a.fake', 'saved and BAD')
    await expect.poll(async () => (await held()).texts[0]?.text).toBe('saved and BAD')
    rig.type('a.fake', null)
    await expect.poll(async () => (await held()).texts[0]?.text).toBe('saved')
    await rig.put('a.fake', 'by another hand')
    rig.changed.emit([{ path: rig.at('a.fake'), change: 'changed', folder: false }])
    await expect.poll(async () => (await held()).texts[0]?.text).toBe('by another hand')
  })

  it('is closed when the file is gone between the write and the verdict', async () => {
    await begin({ delayMs: 300 })
    await rig.write('keep.fake', 'x')
    const { late } = await rig.write('a.fake', 'BAD', 50)
    await rm(join(rig.folder, 'a.fake'))
    rig.gone('a.fake')
    rig.changed.emit([{ path: rig.at('a.fake'), change: 'deleted', folder: false }])
    expect(await late).toBeNull()
    await expect
      .poll(async () => (await held('keep.fake')).texts.map(({ uri }) => uri.split('/').at(-1)))
      .toEqual(['keep.fake'])
    expect(
      (await rig.language.check([rig.at('a.fake')], { budgetMs: 100, signal: new AbortController().signal })).lsp,
    ).toEqual([])
  })

  it('goes with a file that is renamed between the write and the verdict', async () => {
    await begin({ delayMs: 300 })
    const { late } = await rig.write('old.fake', 'BAD', 50)
    rig.gone('old.fake')
    await rig.put('new.fake', 'BAD')
    rig.changed.emit([
      { path: rig.at('old.fake'), change: 'deleted', folder: false },
      { path: rig.at('new.fake'), change: 'created', folder: false },
    ])
    expect(await late).toBeNull()
    expect(await rig.verdict('new.fake', 'is BAD')).toMatchObject({ state: 'errors', items: [{ line: 1, column: 4 }] })
    expect((await held('new.fake')).texts.map(({ uri }) => uri.split('/').at(-1))).toEqual(['new.fake'])
  })

  it('of 5 MB is checked as any other', async () => {
    await begin({}, {}, { stallMs: 20_000 })
    const large = 'x = 1\n'.repeat(870_000)
    await rig.write('a.fake', large, 10_000)
    const { lsp } = await rig.write('a.fake', `${large}is BAD`, 20_000)
    expect(lsp).toMatchObject([{ state: 'errors', items: [{ line: 870_001, column: 4 }] }])
  })

  it('of long ago is let go: only so many stay open', async () => {
    await begin({}, {}, { openDocuments: 3 })
    for (const name of ['a', 'b', 'c', 'd', 'e']) await rig.write(`${name}.fake`, name)
    expect((await held('e.fake')).texts.map(({ text }) => text)).toEqual(['c', 'd', 'e'])
  })

  it('above 5 MB is none: nothing is claimed', async () => {
    await begin({})
    await rig.put('big.fake', 'x'.repeat(6_000_000))
    expect(
      (await rig.language.check([rig.at('big.fake')], { budgetMs: 100, signal: new AbortController().signal })).lsp,
    ).toEqual([])
  })
})

describe('errors in other open files', () => {
  it.each(['push', 'pull'])('that the change made are told, those that were there are not (%s)', async diagnostics => {
    await begin({ diagnostics, breaks: 'other.fake' })
    await rig.write('other.fake', 'has BAD')
    const { lsp } = await rig.write('a.fake', 'BREAKS')
    expect(lsp).toMatchObject([
      { path: { path: 'a.fake' }, state: 'clean' },
      { path: { path: 'other.fake' }, state: 'errors', errorCount: 1, items: [{ message: 'broken from elsewhere' }] },
    ])
    expect((await rig.write('a.fake', 'BREAKS still')).lsp).toMatchObject([{ path: { path: 'a.fake' } }])
  })
})

describe('trust', () => {
  it('an untrusted folder starts none, one trusted for a run none that runs code of the project', async () => {
    await begin({}, { executesProjectCode: true })
    rig.trust.full = false
    expect((await rig.write('a.fake', 'BAD')).lsp).toEqual([])
    expect(state()?.state).toBe('untrusted')
    rig.trust.full = true
    expect(await rig.verdict('a.fake', 'BAD')).toMatchObject({ state: 'errors' })
    expect(state()).toMatchObject({ state: 'ready', version: '1.2.3' })
  })
})

describe('idle', () => {
  it('one that nobody needs ends, and comes back', async () => {
    await begin({}, {}, { idleMs: 800 })
    await rig.verdict('a.fake', 'BAD')
    await expect.poll(() => rig.children.size).toBe(0)
    expect(state()?.state).toBe('idle')
    // On a busy machine it may be idle again before it has answered.
    await expect.poll(() => rig.verdict('a.fake', 'BAD again'), { timeout: 20_000 }).toMatchObject({ state: 'errors' })
  })
})

describe('where servers run', () => {
  it('is once for each project: the nearest marked folder of a file, however many files ask at once', async () => {
    await begin({}, { rootMarkers: ['mark'] })
    await rig.put('a/mark', '')
    await rig.put('a/deep/mark', '')
    const files = ['a/x.fake', 'a/y.fake', 'a/deep/below/z.fake', 'w.fake']
    const verdicts = await Promise.all(files.map(path => rig.verdict(path, 'BAD')))
    expect(verdicts.map(each => each?.state)).toEqual(files.map(() => 'errors'))
    expect(rig.language.servers().map(({ root }) => root?.path)).toEqual(expect.arrayContaining(['', 'a', 'a/deep']))
    expect(rig.children.size).toBe(3)
  })

  it('of one’s own is what the settings say: its environment, and what it is told first', async () => {
    const needs = `if (process.env.LICENCE !== 'mine') process.exit(3); import(${JSON.stringify(fakeProgram)})`
    const own = LanguageServerSetting.parse({
      command: [process.execPath, '-e', needs],
      extensions: ['fake'],
      env: { LICENCE: 'mine' },
      initialization: { deep: true },
    })
    rig = await createLanguageRig({
      definitions: definitionsWith({ own }).filter(each => each.own),
      limits: fakeLimits,
    })
    expect((await rig.write('a.fake', 'BAD', 15_000)).lsp).toMatchObject([{ state: 'errors' }])
    const { told } = await held()
    expect(told[0]).toMatchObject({ method: 'initialize', params: { initializationOptions: { deep: true } } })
  })
})

it('judges what was just written, not an open text that is still behind it', async () => {
  rig = await createLanguageRig()
  expect(await rig.verdict('a.json', '{ "a": 1 }')).toMatchObject({ state: 'clean' })
  rig.show('a.json', '{ "a": 1 }')
  expect(await rig.verdict('a.json', '{ "a": }')).toMatchObject({ state: 'errors', errorCount: 1 })
})
