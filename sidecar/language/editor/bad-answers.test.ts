/** Servers that answer an editor badly: nothing they say lands outside the text, changes what it should not, or is waited for. */
import { afterEach, describe, expect, it } from 'vitest'
import type { CallContext } from '#contract/define'
import { MOST_PROBLEMS_OF_FILE } from '#contract/language-problems'
import type { ServerDefinition } from '../definition.ts'
import { fake, fakeLimits, heldBy } from '../fake.case.ts'
import { createLanguageRig, type LanguageRig } from '../rig.case.ts'
import { MOST_ITEMS } from './completion.ts'

const context: CallContext = { clientId: 'test', signal: new AbortController().signal }

let rig: LanguageRig
const begin = async (...definitions: ServerDefinition[]) => {
  rig = await createLanguageRig({ definitions, limits: fakeLimits })
}
afterEach(async () => {
  await rig.end()
  expect([...rig.children]).toEqual([])
})
const editor = () => rig.language.editor
const type = (path: string, text: string) => {
  rig.type(path, text)
  return rig.about(path)
}
const at = (line: number, character: number) => ({ line, character })
const range = (line: number, from: number, to: number) => ({ start: at(line, from), end: at(line, to) })
const found = <T extends object>(answer: T | { stale: true }): T => {
  if ('stale' in answer) throw new Error('stale')
  return answer as T
}
const capabilities = {
  completionProvider: { triggerCharacters: ['.'] },
  definitionProvider: true,
  renameProvider: { prepareProvider: true },
  documentFormattingProvider: true,
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  inlayHintProvider: true,
  codeActionProvider: true,
  colorProvider: true,
  linkedEditingRangeProvider: true,
  documentLinkProvider: {},
  signatureHelpProvider: { triggerCharacters: ['('] },
  executeCommandProvider: { commands: ['fake.mend'] },
  semanticTokensProvider: {
    legend: { tokenTypes: ['class', 'oddity'], tokenModifiers: ['odd', 'static'] },
    full: true,
  },
}
const wild = { start: { line: -5, character: -7 }, end: { line: 1e9, character: 1e9 } }

describe('answers of a wrong shape', () => {
  it('are brought into the text or left out', async () => {
    await begin(
      fake({
        capabilities,
        answers: {
          'textDocument/completion': {
            items: [
              {
                label: 'ok',
                textEdit: { range: wild, newText: 'ok' },
                kind: 99,
                documentation: { kind: 7, value: 'v' },
              },
              { label: 7 },
              null,
              'words',
            ],
          },
          'textDocument/definition': [
            { uri: '$URI', range: wild },
            { uri: 'http://elsewhere/x', range: wild },
            { uri: '$URI' },
            null,
          ],
          'textDocument/documentSymbol': [
            { name: 's', kind: -1, range: wild, selectionRange: wild, children: 'none' },
            { name: {} },
          ],
          'textDocument/foldingRange': [{ startLine: 'a' }, { startLine: 3, endLine: 1 }, { startLine: 0, endLine: 1 }],
          'textDocument/selectionRange': [{ range: wild, parent: { range: null } }],
          'textDocument/inlayHint': [{ position: at(-3, 2), label: [{ value: 'h' }, 3] }, { label: '' }],
          'textDocument/documentColor': [
            { range: wild, color: { red: 9, green: 0, blue: 0, alpha: 1 } },
            { range: wild, color: { red: 1, green: 0, blue: 0, alpha: 1 } },
          ],
          'textDocument/linkedEditingRange': { ranges: [range(0, 0, 3), range(0, 4, 7)], wordPattern: 5 },
          'textDocument/documentLink': [
            { range: wild, target: 'file:///w/b.fake', tooltip: 7 },
            { range: range(0, 0, 3), target: 'command:editor.action.selectAll' },
            { range: range(0, 0, 3) },
            { target: 'https://example.org' },
            null,
          ],
          'textDocument/signatureHelp': {
            signatures: [{ label: 'f(a)', parameters: [{ label: [1e9, -4] }, { label: 'a' }, 5] }, { label: null }],
            activeSignature: 70,
            activeParameter: -2,
          },
          'textDocument/semanticTokens/full': { data: [0, 0, 3, 0, 3, 0, 4, 2, 1, 0, 1, 0, 900, 0, 2, -1, 0, 2, 0, 0] },
        },
      }),
    )
    const asked = { ...type('a.fake', 'one two\nthree'), position: at(0, 2) }
    const whole = { start: at(0, 0), end: at(1, 5) }
    const { items, ranges } = found(await editor().completion({ ...asked, trigger: 'invoked' }, context))
    expect(items).toEqual([{ index: 0, label: 'ok', documentation: { kind: 'plaintext', text: 'v' } }])
    expect(ranges).toEqual({ insert: whole, replace: whole })
    const places = found(await editor().definition(asked, context)).places
    expect(places).toEqual([{ path: rig.at('a.fake'), range: whole, whole: null, origin: null }])
    expect(found(await editor().symbols(asked, context)).symbols).toEqual([
      { name: 's', detail: '', kind: 13, deprecated: false, range: whole, selection: whole, children: [] },
    ])
    expect(found(await editor().folding(asked, context)).ranges).toEqual([{ startLine: 0, endLine: 1, kind: null }])
    expect(found(await editor().selectionRanges({ ...asked, positions: [at(0, 0)] }, context)).ranges).toEqual([
      [whole],
    ])
    expect(found(await editor().inlayHints({ ...asked, range: whole }, context)).hints).toMatchObject([
      { position: at(0, 0), label: 'h' },
    ])
    expect(found(await editor().colors(asked, context)).colors.map(({ color }) => color.red)).toEqual([1])
    // The two words are not the same.
    expect(found(await editor().linkedEditing(asked, context))).toEqual({ ranges: [], wordPattern: null })
    expect(found(await editor().links(asked, context)).links).toEqual([
      { range: whole, target: 'file:///w/b.fake', tooltip: null },
    ])
    const { signatures, active } = found(
      await editor().signature({ ...asked, trigger: 'invoked', retrigger: false }, context),
    )
    expect(active).toBe(0)
    expect(
      signatures.map(({ parameters, activeParameter }) => [parameters.map(({ label }) => label), activeParameter]),
    ).toEqual([
      [
        [
          [0, 0],
          [2, 3],
          [0, 0],
        ],
        null,
      ],
    ])
    // Of the oddity nothing is told, and the length ends with the line.
    expect(found(await editor().semanticTokens(asked, context)).data).toEqual([0, 0, 3, 2, 8, 1, 0, 5, 2, 8])
  })

  it('and edits that overlap, or reach outside the folder, change nothing', async () => {
    const edit = (uri: string) => ({ changes: { [uri]: [{ range: range(0, 0, 3), newText: 'x' }] } })
    await begin(
      fake({
        capabilities,
        answers: {
          'textDocument/formatting': [
            { range: range(0, 0, 5), newText: 'a' },
            { range: range(0, 3, 7), newText: 'b' },
          ],
          'textDocument/rename': edit('file:///etc/passwd'),
          'textDocument/prepareRename': { start: at(0, 0) },
        },
      }),
    )
    const asked = { ...type('a.fake', 'one two'), position: at(0, 2) }
    await expect(editor().format({ ...asked, options: { tabSize: 2, insertSpaces: true } }, context)).rejects.toThrow(
      /overlap/,
    )
    await expect(editor().rename({ ...asked, newName: 'y' }, context)).rejects.toMatchObject({ code: 'outside' })
    await expect(editor().prepareRename(asked, context)).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('a server that is slow, silent or gone', () => {
  it('is asked to stop when nobody waits any more', async () => {
    await begin(fake({ capabilities, silent: ['textDocument/completion'] }))
    const asked = { ...type('a.fake', 'one'), position: at(0, 2) }
    const leave = new AbortController()
    const answer = editor().completion({ ...asked, trigger: 'invoked' }, { ...context, signal: leave.signal })
    const told = async () => (await heldBy(rig)).told.map(({ method }) => method)
    await expect.poll(told).toContain('textDocument/completion')
    leave.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(told).toContain('$/cancelRequest')
  })

  it('that dies over a question leaves an empty answer, and comes back for the next', async () => {
    await begin(fake({ fault: 'dies', capabilities, answers: { 'textDocument/documentSymbol': [] } }))
    const first = type('a.fake', 'one')
    expect(await editor().symbols(first, context)).toEqual({ symbols: [] })
    const second = type('a.fake', 'two')
    expect(await editor().symbols(second, context)).toEqual({ symbols: [] })
    await expect.poll(() => rig.language.servers()[0]?.problem).toMatch(/ended with code 1/)
    const hover = async () => found(await editor().hover({ ...second, position: at(0, 0) }, context)).parts.length
    await expect.poll(hover).toBe(1)
  })

  it('holds up nobody who has something to say', async () => {
    const answers = (label: string) => ({ 'textDocument/completion': [{ label }] })
    await begin(
      fake({ capabilities, silent: ['textDocument/completion'] }, { id: 'slow' }),
      fake({ capabilities, answers: answers('quick') }),
    )
    const asked = { ...type('a.fake', 'one'), position: at(0, 2) }
    const began = performance.now()
    const { items } = found(await editor().completion({ ...asked, trigger: 'invoked' }, context))
    expect(items.map(({ label }) => label)).toEqual(['quick'])
    expect(performance.now() - began).toBeLessThan(8000)
  })
})

describe('several servers of one file', () => {
  it('answer together, each by its own way of counting', async () => {
    const one = (label: string, character: number) => ({
      capabilities,
      answers: {
        'textDocument/completion': [{ label, textEdit: { range: range(0, character, character), newText: label } }],
        'textDocument/codeAction': [{ title: label, kind: 'quickfix', edit: {} }],
      },
    })
    await begin(
      fake({ ...one('bytes', 4), encoding: 'utf-8' }, { id: 'bytes' }),
      fake(one('units', 2), { id: 'units' }),
    )
    const asked = { ...type('a.fake', '😀x'), position: at(0, 3) }
    await expect
      .poll(async () => {
        const { items, ranges } = found(await editor().completion({ ...asked, trigger: 'invoked' }, context))
        return items.map(({ label, ...each }) => [label, (each.ranges === undefined ? ranges : each.ranges)?.insert])
      })
      .toEqual([
        ['bytes', range(0, 2, 2)],
        ['units', range(0, 2, 2)],
      ])
    const { actions } = found(
      await editor().codeActions({ ...asked, range: range(0, 0, 1), only: [], trigger: 'invoked' }, context),
    )
    expect(actions.map(({ title }) => title)).toEqual(['bytes', 'units'])
  })
})

describe('actions', () => {
  it('run a command that the server lists, whose edits are an answer and are not applied; others are not offered', async () => {
    const edit = (text: string) => ({
      documentChanges: [{ textDocument: { uri: '$URI' }, edits: [{ range: range(0, 0, 3), newText: text }] }],
    })
    await begin(
      fake({
        capabilities,
        answers: {
          'textDocument/codeAction': [
            { title: 'Mend', kind: 'quickfix.mend', edit: edit('first'), command: { command: 'fake.mend', title: '' } },
            { title: 'Of editors', command: { command: 'editor.action.rename', title: '' } },
            { title: 'fake.mend', command: 'fake.mend' },
            { title: 'Other kind', kind: 'source.other', edit: {} },
          ],
        },
        commandEdits: [{ documentChanges: [{ kind: 'create', uri: 'file:///etc/new' }] }],
      }),
    )
    const asked = type('a.fake', 'one BAD')
    const question = { ...asked, range: range(0, 4, 5), only: [], trigger: 'invoked' as const }
    const { listId, actions } = found(await editor().codeActions(question, context))
    expect(actions.map(({ title }) => title)).toEqual(['Mend', 'fake.mend', 'Other kind'])
    const some = found(await editor().codeActions({ ...question, only: ['quickfix'] }, context))
    expect(some.actions.map(({ title }) => title)).toEqual(['Mend'])
    const { workspaceId, version } = asked
    expect(await editor().resolveCodeAction({ workspaceId, listId, index: 0 }, context)).toEqual({
      command: true,
      edit: {
        steps: [{ kind: 'text', path: rig.at('a.fake'), version, edits: [{ range: range(0, 0, 3), text: 'first' }] }],
      },
    })
    await expect(editor().executeCommand({ workspaceId, listId, index: 0 }, context)).rejects.toMatchObject({
      code: 'outside',
    })
    const { told } = await heldBy(rig)
    expect(told.find(({ method }) => method === 'answer edit 0')?.params).toEqual({ applied: true })
    // What is wrong there was sent along, as the server had said it.
    await expect
      .poll(async () => {
        await editor().codeActions(question, context)
        const asks = (await heldBy(rig)).told.filter(({ method }) => method === 'textDocument/codeAction')
        const { diagnostics = [] } = (asks.at(-1)?.params.context ?? {}) as { diagnostics?: { message: string }[] }
        return diagnostics.map(({ message }) => message)
      })
      .toEqual(['it is bad'])
  })
})

describe('what can be asked', () => {
  it('is what the server can do, also what it says later; and why there is nothing', async () => {
    await begin(
      fake({
        capabilities: { completionProvider: { triggerCharacters: ['.', 7] } },
        registersLater: [{ id: 'f', method: 'textDocument/formatting', registerOptions: { documentSelector: null } }],
      }),
    )
    const asked = type('a.fake', 'one')
    expect(await editor().features(asked, context)).toMatchObject({ state: 'starting', features: { hover: false } })
    const features = () => editor().features(asked, context)
    await expect.poll(features).toMatchObject({
      state: 'ready',
      note: null,
      features: { completion: { triggerCharacters: ['.'] }, hover: true, rename: false, format: true },
    })
    expect(rig.told).toContain('features')
    expect(await editor().features(type('a.txt', ''), context)).toMatchObject({ state: 'none' })
    rig.trust.shipped = false
    expect(await features()).toMatchObject({ state: 'untrusted', note: expect.stringMatching(/not trusted/) })
  })

  it('says what is missing, and what failed too often', async () => {
    await begin(fake({}, { program: { kind: 'path', commands: [['no-such-server']] }, install: 'get it' }))
    const asked = type('a.fake', 'one')
    await editor().features(asked, context)
    await expect
      .poll(() => editor().features(asked, context))
      .toMatchObject({ state: 'missing', note: 'Fake was not found: get it' })
    await rig.end()
    await begin(fake({ fault: 'exit' }))
    const again = type('a.fake', 'one')
    await expect
      .poll(() => editor().features(again, context), { timeout: 10_000 })
      .toMatchObject({ state: 'broken', note: expect.stringMatching(/ended with code 3/) })
  })
})

describe('floods', () => {
  it('of completions are cut to what fits what is typed, and typing on asks again', async () => {
    await begin(fake({ capabilities, manyItems: 5000 }))
    const all = { ...type('a.fake', ''), position: at(0, 0) }
    const list = found(await editor().completion({ ...all, trigger: 'invoked' }, context))
    expect([list.items.length, list.incomplete]).toEqual([MOST_ITEMS, true])
    const typed = { ...type('a.fake', 'x m42'), position: at(0, 5) }
    const fitting = found(await editor().completion({ ...typed, trigger: 'incomplete' }, context))
    expect(fitting.items.length).toBeGreaterThan(0)
    expect(fitting.items.every(({ label }) => /m.*4.*2/.test(label))).toBe(true)
    expect(fitting.incomplete).toBe(true)
  })

  it('of problems are counted whole and shown in part, in few batches however much is typed', async () => {
    await begin(fake({ flood: 10_000 }))
    const text = 'x\n'.repeat(10)
    await editor().features(type('a.fake', text), context)
    const first = () => rig.language.problems().files[0]
    await expect.poll(first).toMatchObject({ counts: { error: 10_000 } })
    expect(first()?.problems).toHaveLength(MOST_PROBLEMS_OF_FILE)
    expect(first()?.problems.every(each => each.range.end.line <= 10)).toBe(true)
    for (let typed = 0; typed < 20; typed++) rig.type('a.fake', `${text}${typed}`)
    await expect.poll(() => first()?.of?.version, { timeout: 10_000 }).toBe(21)
    expect(rig.batches.length).toBeLessThan(20)
    expect(rig.batches.map(({ seq }) => seq)).toEqual(rig.batches.map((_, index) => index + 1))
    await rig.language.dispose()
    expect(rig.batches.at(-1)?.files.map(({ counts }) => counts.error)).toEqual([0])
  })
})

describe('problems', () => {
  it('say of which version they are, and nothing of older ones', async () => {
    await begin(fake({ delayMs: 60 }))
    const asked = type('a.fake', 'is BAD')
    await editor().features(asked, context)
    const first = () => rig.language.problems().files[0]
    await expect.poll(first).toMatchObject({ of: { version: 1 }, counts: { error: 1, warning: 1 } })
    for (const text of ['is not BAD', 'is still not BAD', 'really is BAD']) rig.type('a.fake', text)
    await expect.poll(first).toMatchObject({
      of: { version: 4 },
      problems: [{ range: range(0, 10, 13), message: 'it is bad', source: 'fake' }, {}],
    })
    const versions = rig.batches.flatMap(({ files }) => files.map(({ of }) => of?.version))
    expect(versions).toEqual([...versions].sort())
    // The same text in another version is the same, under its new name.
    rig.type('a.fake', 'really is BAD')
    await expect.poll(first).toMatchObject({ of: { version: 5 } })
    await rig.put('a.fake', 'really is BAD')
    rig.type('a.fake', null)
    await expect.poll(first).toMatchObject({ of: null, counts: { error: 1 } })
  })

  it('go with their file, and with their server', async () => {
    await begin(fake({}))
    await rig.write('a.fake', 'BAD')
    await rig.write('sub/b.fake', 'BAD')
    const files = () => rig.language.problems().files.map(({ path }) => (path as { path: string }).path)
    await expect.poll(files).toEqual(['a.fake', 'sub/b.fake'])
    rig.gone('sub/b.fake')
    rig.changed.emit([{ path: rig.at('sub'), change: 'deleted', folder: true }])
    await expect.poll(files).toEqual(['a.fake'])
    await rig.language.restart(rig.language.servers()[0]?.id ?? '')
    await expect.poll(files).toEqual([])
    expect(rig.batches.at(-1)?.files[0]).toMatchObject({ path: rig.at('a.fake'), counts: { error: 0 }, problems: [] })
  })

  it('are looked for again by a restarted server in what a person has open', async () => {
    await begin(fake({ diagnostics: 'pull' }))
    await editor().features(type('a.fake', 'BAD'), context)
    const errors = () => rig.language.problems().files[0]?.counts.error
    await expect.poll(errors).toBe(1)
    await rig.language.restart(rig.language.servers()[0]?.id ?? '')
    await expect.poll(() => rig.batches.at(-2)?.files[0]?.counts.error).toBe(0)
    await expect.poll(errors).toBe(1)
    await expect.poll(() => rig.language.servers()[0]?.state).toBe('ready')
  })
})
