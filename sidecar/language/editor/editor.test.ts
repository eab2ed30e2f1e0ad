/** What an editor asks of the real servers about unsaved text, with characters of more than one unit before every place. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallContext } from '#contract/define'
import { semanticTokenTypes } from '#contract/language-editor'
import type { ServerDefinition } from '../definition.ts'
import { shippedServers } from '../registry.ts'
import { createLanguageRig, type LanguageRig } from '../rig.case.ts'

const context: CallContext = { clientId: 'test', signal: new AbortController().signal }
const PATIENCE_MS = 60_000
const TABS = { tabSize: 2, insertSpaces: true }

let rig: LanguageRig
const use = (id: string) => {
  beforeAll(async () => {
    rig = await createLanguageRig({ definitions: shippedServers.filter(each => each.id === id) as ServerDefinition[] })
  })
  afterAll(async () => {
    await rig.end()
    expect([...rig.children]).toEqual([])
  })
}
const editor = () => rig.language.editor
/** Types it; `▸` marks the place that is asked about. */
const type = (path: string, marked: string) => {
  const before = marked.slice(0, marked.indexOf('▸')).split('\n')
  rig.type(path, marked.replace('▸', ''))
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
  return { ...rig.about(path), position }
}
const found = <T extends object>(answer: T | { stale: true }): T => {
  if ('stale' in answer) throw new Error('stale')
  return answer as T
}
const at = (line: number, character: number) => ({ line, character })

describe('TypeScript', { timeout: PATIENCE_MS }, () => {
  use('typescript')

  it('completes what is not saved, and says more of an item when it is looked at', async () => {
    const asked = type('a.ts', `const 猫 = { 名: '😀', lives: 9 }\nconst s = '😀'; 猫.▸`)
    const list = found(await editor().completion({ ...asked, trigger: 'character', character: '.' }, context))
    expect(list.items.map(({ label }) => label)).toEqual(expect.arrayContaining(['名', 'lives']))
    const index = list.items.findIndex(({ label }) => label === 'lives')
    const { workspaceId } = asked
    const more = await editor().resolveCompletion({ workspaceId, listId: list.listId, index }, context)
    expect(more.detail).toMatch(/lives: number/)
    expect(
      await editor().resolveCompletion({ workspaceId, listId: list.listId, index }, { ...context, clientId: 'other' }),
    ).toEqual({})
    const never = await editor().completion({ ...asked, trigger: 'character', character: '€' }, context)
    expect(found(never).items).toEqual([])
  })

  it('completes a name of another file with its import', async () => {
    rig.type('lib.ts', 'export const faraway = 1\n')
    await editor().features(rig.about('lib.ts'), context)
    await expect.poll(async () => (await editor().features(rig.about('lib.ts'), context)).state).toBe('ready')
    const asked = type('b.ts', `const s = '😀'\nfarawa▸`)
    await expect
      .poll(async () => {
        const list = found(await editor().completion({ ...asked, trigger: 'invoked' }, context))
        const item = list.items.find(({ label }) => label === 'faraway')
        if (!item) return null
        const { workspaceId } = asked
        const { listId } = list
        const more = await editor().resolveCompletion({ workspaceId, listId, index: item.index }, context)
        return (more.additionalEdits ?? item.additionalEdits)?.[0]
      })
      .toMatchObject({ range: { start: at(0, 0) }, text: expect.stringMatching(/import \{ faraway \} from/) })
  })

  it('tells what a thing is, and how it is called', async () => {
    const hovered = type('c.ts', `const s = '😀'; const 名: number = 3; ▸名`)
    const { parts, range } = found(await editor().hover(hovered, context))
    expect(parts.map(({ text }) => text).join('\n')).toContain('const 名: number')
    expect(range).toEqual({ start: at(0, 37), end: at(0, 38) })
    const called = type('c.ts', `function f(a: number, b: string) {}\nf(1, ▸)`)
    const { signatures, active } = found(
      await editor().signature({ ...called, trigger: 'character', character: ',', retrigger: false }, context),
    )
    const [signature] = signatures
    expect(active).toBe(0)
    expect(signature?.activeParameter).toBe(1)
    expect(signature?.label.slice(...(signature.parameters[1]?.label ?? []))).toBe('b: string')
  })

  it('finds where things are, in the libraries of the language too', async () => {
    rig.type('d.ts', `const s = '😀'; export const 名 = 1\n`)
    await editor().features(rig.about('d.ts'), context)
    const asked = type('e.ts', `import { 名 } from './d'\nexport const y = ▸名\n`)
    expect(found(await editor().definition(asked, context)).places).toMatchObject([
      { path: { path: 'd.ts' }, range: { start: at(0, 29), end: at(0, 30) } },
    ])
    const references = found(await editor().references({ ...asked, includeDeclaration: true }, context))
    expect(references.places.map(({ path, range }) => [(path as { path: string }).path, range.start])).toEqual(
      expect.arrayContaining([
        ['d.ts', at(0, 29)],
        ['e.ts', at(0, 9)],
        ['e.ts', at(1, 17)],
      ]),
    )
    expect(found(await editor().highlights(asked, context)).highlights.length).toBe(2)
    const outside = found(await editor().definition(type('f.ts', `'😀'.▸trim()`), context))
    expect(outside.places[0]?.path).toMatchObject({ uri: expect.stringMatching(/^file:.*lib.*\.d\.ts$/) })
  })

  it('renames in every open text, and refuses where there is nothing to rename', async () => {
    rig.type('g.ts', `const s = '😀'; export const old = 1\n`)
    const asked = type('h.ts', `import { old } from './g'\nconst s = '😀'; old + ▸old\n`)
    await editor().features(asked, context)
    expect(found(await editor().prepareRename(asked, context))).toEqual({
      range: { start: at(1, 22), end: at(1, 25) },
      name: 'old',
    })
    const { steps } = found(await editor().rename({ ...asked, newName: 'fresh' }, context))
    const byPath = new Map(steps.flatMap(step => (step.kind === 'text' ? [[step.path.path, step] as const] : [])))
    expect(byPath.get('g.ts')).toMatchObject({
      version: rig.about('g.ts').version,
      edits: [{ range: { start: at(0, 29), end: at(0, 32) }, text: 'fresh' }],
    })
    expect(byPath.get('h.ts')?.edits.map(({ range }) => range.start)).toEqual([at(0, 9), at(1, 16), at(1, 22)])
    await expect(editor().prepareRename({ ...asked, position: at(1, 12) }, context)).rejects.toThrow()
  })

  it('offers to mend what is wrong, and says what that changes', async () => {
    rig.type('lib.ts', 'export const faraway = 1\n')
    const asked = type('i.ts', `export const s = '😀'; ▸faraway\n`)
    await editor().features(asked, context)
    await expect
      .poll(() => rig.batches.flatMap(({ files }) => files).some(({ path }) => 'path' in path && path.path === 'i.ts'))
      .toBe(true)
    const range = { start: asked.position, end: { ...asked.position, character: asked.position.character + 7 } }
    const offer = async () =>
      found(await editor().codeActions({ ...asked, range, only: ['quickfix'], trigger: 'invoked' }, context))
    const { listId, actions } = await offer()
    const index = actions.findIndex(({ title }) => /^Add import/.test(title))
    expect(actions[index]).toMatchObject({ kind: expect.stringMatching(/^quickfix/), disabled: null })
    const { workspaceId } = asked
    const { edit } = found(await editor().resolveCodeAction({ workspaceId, listId, index }, context))
    expect(edit.steps).toMatchObject([{ kind: 'text', path: { path: 'i.ts' } }])
    rig.type('i.ts', 'another text')
    expect(await editor().resolveCodeAction({ workspaceId, listId, index }, context)).toEqual({ stale: true })
    await expect(editor().resolveCodeAction({ workspaceId, listId: 'lst_none', index }, context)).rejects.toThrow(
      /not offered any more/,
    )
  })

  it('formats all, a part, and after a line', async () => {
    const asked = type('j.ts', `const s = '😀';const   x=1\n▸function f(){return    1}\n`)
    const [all, part] = [
      found(await editor().format({ ...asked, options: TABS }, context)).edits,
      found(
        await editor().formatRange({ ...asked, range: { start: at(1, 0), end: at(1, 25) }, options: TABS }, context),
      ).edits,
    ]
    const places = (edits: typeof all) => new Set(edits.map(({ range }) => range.start.line))
    expect([...places(all)].sort()).toEqual([0, 1])
    expect([...places(part)]).toEqual([1])
    const typed = type('k.ts', 'if (true) {\nlet x=1;▸\n}')
    const edits = found(await editor().formatOnType({ ...typed, character: ';', options: TABS }, context)).edits
    expect(edits.length).toBeGreaterThan(0)
  })

  it('colors by the one legend, folds, outlines, grows selections and hints', async () => {
    const text = `/**\n * 😀\n */\nexport class 猫 {\n\tlives = 9\n\tname(loud: boolean) {\n\t\treturn '😀' + loud\n\t}\n}\nnew 猫().name(true)\n`
    rig.type('l.ts', text)
    const asked = rig.about('l.ts')
    const { data } = found(await editor().semanticTokens(asked, context))
    const tokens: [number, number, number, string | undefined][] = []
    for (let at = 0, line = 0, character = 0; at < data.length; at += 5) {
      const [down = 0, right = 0, length = 0, type = 0] = data.slice(at, at + 4)
      character = down === 0 ? character + right : right
      line += down
      tokens.push([line, character, length, semanticTokenTypes[type]])
    }
    expect(tokens).toEqual(
      expect.arrayContaining([
        [3, 13, 1, 'class'],
        [4, 1, 5, 'property'],
        [6, 16, 4, 'parameter'],
      ]),
    )
    expect(found(await editor().folding(asked, context)).ranges).toEqual(
      expect.arrayContaining([{ startLine: 0, endLine: 2, kind: 'comment' }]),
    )
    const { symbols } = found(await editor().symbols(asked, context))
    expect(symbols[0]).toMatchObject({ name: '猫', kind: 5, selection: { start: at(3, 13) } })
    expect(symbols[0]?.children.map(({ name }) => name)).toEqual(['lives', 'name'])
    const { ranges } = found(await editor().selectionRanges({ ...asked, positions: [at(6, 17)] }, context))
    expect(ranges[0]?.[0]).toEqual({ start: at(6, 16), end: at(6, 20) })
    expect(ranges[0]?.length).toBeGreaterThan(3)
    const whole = { start: at(0, 0), end: at(10, 0) }
    expect(Array.isArray(found(await editor().inlayHints({ ...asked, range: whole }, context)).hints)).toBe(true)
    const { workspaceId } = asked
    const named = await editor().workspaceSymbols({ workspaceId, query: '猫' }, context)
    expect(named.symbols).toContainEqual({
      ...{ name: '猫', container: '', kind: 5 },
      path: rig.at('l.ts'),
      range: { start: at(3, 13), end: at(3, 14) },
    })
  })

  it('answers nothing of another version', async () => {
    const asked = type('m.ts', 'let x = 1; ▸x')
    rig.type('m.ts', 'let y = 1; y')
    expect(await editor().hover(asked, context)).toEqual({ stale: true })
    expect(await editor().rename({ ...asked, newName: 'z' }, context)).toEqual({ stale: true })
    rig.type('m.ts', null)
    expect(await editor().symbols({ ...asked, version: asked.version + 1 }, context)).toEqual({ stale: true })
  })

  it('is told at once of what is wrong in unsaved text, in the file and where it reaches', async () => {
    const wrongIn = (path: string) =>
      rig.language.problems().files.find(each => 'path' in each.path && each.path.path === path)
    rig.type('n.ts', `export const n: number = 1\n`)
    rig.type('o.ts', `import { n } from './n'\nexport const o: number = n\n`)
    await editor().features(rig.about('n.ts'), context)
    await editor().features(rig.about('o.ts'), context)
    rig.type('n.ts', `export const s = '😀', n: string = 1\n`)
    await expect
      .poll(() => wrongIn('n.ts'), { timeout: 10_000 })
      .toMatchObject({
        of: { version: rig.about('n.ts').version },
        counts: { error: 1, warning: 0 },
        problems: [{ severity: 'error', code: '2322', range: { start: at(0, 23), end: at(0, 24) } }],
      })
    await expect.poll(() => wrongIn('o.ts')?.counts.error, { timeout: 10_000 }).toBe(1)
    rig.type('n.ts', `export const n: number = 1\n`)
    const errors = () => ['n.ts', 'o.ts'].map(path => wrongIn(path)?.counts.error)
    await expect.poll(errors, { timeout: 10_000 }).toEqual([0, 0])
    const seqs = rig.batches.map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
  })
})

describe('JSON', { timeout: PATIENCE_MS }, () => {
  use('json')

  it('completes, formats and outlines', async () => {
    await rig.put('schema.json', '{ "properties": { "size": { "enum": ["small", "large"] } } }')
    const asked = type('a.json', '{ "$schema": "./schema.json", "😀": 1,   "size": ▸"" }')
    await expect
      .poll(async () => {
        const { items } = found(await editor().completion({ ...asked, trigger: 'invoked' }, context))
        return items.map(({ label }) => label)
      })
      .toEqual(expect.arrayContaining(['"small"', '"large"']))
    expect(found(await editor().symbols(asked, context)).symbols.map(({ name }) => name)).toEqual([
      '$schema',
      '😀',
      'size',
    ])
    const messy = type('b.json', '▸{"a":1,"b":[1,2]}')
    expect(found(await editor().format({ ...messy, options: TABS }, context)).edits.length).toBeGreaterThan(0)
    const features = await editor().features(asked, context)
    expect(features).toMatchObject({ state: 'ready', note: null, features: { completion: {}, rename: false } })
    await expect(editor().rename({ ...asked, newName: 'x' }, context)).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('CSS', { timeout: PATIENCE_MS }, () => {
  use('css')

  it('completes with what is asked next, and shows and writes colors', async () => {
    const asked = type('a.css', "a { content: '😀'; dis▸ }")
    const { items, ranges } = found(await editor().completion({ ...asked, trigger: 'invoked' }, context))
    const display = items.find(({ label }) => label === 'display')
    expect(display).toMatchObject({ asksAgain: true })
    expect((display?.ranges === undefined ? ranges : display.ranges)?.insert).toEqual({
      start: at(0, 19),
      end: at(0, 22),
    })
    rig.type('b.css', "a { content: '😀' }\nb { color: #ff0000 }")
    const colored = rig.about('b.css')
    const { colors } = found(await editor().colors(colored, context))
    expect(colors).toEqual([
      { range: { start: at(1, 11), end: at(1, 18) }, color: { red: 1, green: 0, blue: 0, alpha: 1 } },
    ])
    const { range, color } = colors[0] as (typeof colors)[0]
    const { writings } = found(await editor().colorWritings({ ...colored, range, color }, context))
    expect(writings).toEqual(
      expect.arrayContaining([{ label: 'rgb(255, 0, 0)', edit: { range, text: 'rgb(255, 0, 0)' } }]),
    )
  })
})

describe('HTML', { timeout: PATIENCE_MS }, () => {
  use('html')

  it('links the two names of a tag, and what a text leads to', async () => {
    const asked = type('a.html', `<p>😀</p>\n<div>😀<b▸ig>x</big></div>\n<a href="sub/b.html">b</a>`)
    const { ranges } = found(await editor().linkedEditing(asked, context))
    expect(ranges).toEqual([
      { start: at(1, 8), end: at(1, 11) },
      { start: at(1, 15), end: at(1, 18) },
    ])
    const nothing = { ranges: [], wordPattern: null }
    expect(await editor().linkedEditing({ ...asked, position: at(0, 3) }, context)).toEqual(nothing)
    expect(found(await editor().links(asked, context)).links).toEqual([
      {
        range: { start: at(2, 9), end: at(2, 19) },
        target: expect.stringMatching(/^file:.*\/sub\/b\.html$/),
        tooltip: null,
      },
    ])
    expect((await editor().features(asked, context)).features).toMatchObject({ linkedEditing: true, links: true })
  })
})

describe('Python', { timeout: PATIENCE_MS }, () => {
  use('python')

  it('completes, hovers, renames, and finds what is wrong in unsaved text', async () => {
    const asked = type('a.py', `s = '😀'; wide = 1\nprint(s); ▸wide\n`)
    expect(
      found(await editor().hover(asked, context))
        .parts.map(({ text }) => text)
        .join(),
    ).toContain('wide: ')
    const { steps } = found(await editor().rename({ ...asked, newName: 'broad' }, context))
    expect(steps).toMatchObject([
      { kind: 'text', edits: [{ range: { start: at(0, 10) } }, { range: { start: at(1, 10) } }] },
    ])
    const completed = type('a.py', `s = '😀'; wide = 1\nprint(s); wid▸\n`)
    const { items } = found(await editor().completion({ ...completed, trigger: 'invoked' }, context))
    expect(items.map(({ label }) => label)).toContain('wide')
    rig.type('a.py', `s = '😀'; x: int = 'a'\n`)
    await expect
      .poll(() => rig.language.problems().files[0], { timeout: 20_000 })
      .toMatchObject({ counts: { error: 1 }, problems: [{ range: { start: at(0, 19) }, source: 'Pyright' }] })
  })
})
