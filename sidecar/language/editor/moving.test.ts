/** What follows a file that is moved: by the real TypeScript, and by servers that answer badly; nothing is changed by asking. */
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { CallContext } from '#contract/define'
import { fake, fakeLimits } from '../fake.case.ts'
import { shippedServers } from '../registry.ts'
import { createLanguageRig, type LanguageRig } from '../rig.case.ts'

const context: CallContext = { clientId: 'test', signal: new AbortController().signal }

let rig: LanguageRig
afterEach(async () => {
  await rig.end()
  expect([...rig.children]).toEqual([])
})
const ask = async (...moves: (readonly [string, string])[]) => {
  const answer = await rig.language.editor.willMove(
    { workspaceId: 'wsp_0' as never, moves: moves.map(([from, to]) => ({ from: rig.at(from), to: rig.at(to) })) },
    context,
  )
  const texts = answer.texts.map(({ path, places }) => [path.path, places.map(({ was, text }) => `${was} > ${text}`)])
  return { ...answer, said: Object.fromEntries(texts) as Record<string, string[]> }
}

describe('TypeScript', { timeout: 60_000 }, () => {
  const begin = async () => {
    rig = await createLanguageRig({ definitions: shippedServers.filter(({ id }) => id === 'typescript') })
    await rig.put(
      'tsconfig.json',
      '{ "compilerOptions": { "module": "nodenext", "strict": true }, "include": ["src"] }',
    )
    await rig.put('src/deep/base.ts', 'export const base = 1\n')
    await rig.put('src/util.ts', "import { base } from './deep/base.js'\nexport const util = base\n")
    await rig.put('src/a.ts', "const smile = '😀'; export { util } from './util.js'\r\nconsole.log(smile)\r\n")
    await rig.put('src/b.ts', '\n')
  }

  it('starts for it and says which texts name the file, saved or not, and what the file itself names', async () => {
    await begin()
    rig.type('src/b.ts', "// 😀 not saved\nexport const late = import('./util.js')\n")
    const { texts, note, said } = await ask(['src/util.ts', 'src/lib/tool.ts'])
    expect(note).toBeNull()
    expect(said).toEqual({
      'src/a.ts': ['./util.js > ./lib/tool.js'],
      'src/b.ts': ['./util.js > ./lib/tool.js'],
      'src/util.ts': ['./deep/base.js > ../deep/base.js'],
    })
    const [place] = texts.find(({ path }) => path.path === 'src/b.ts')?.places ?? []
    expect(place).toMatchObject({ line: 2, lead: "export const late = import('", trail: "')", from: 44 })
    // Nothing is changed by asking.
    expect(await readFile(join(rig.folder, 'src/util.ts'), 'utf8')).toContain('./deep/base.js')
  })

  it('knows what a folder holds; what nobody names moves alone; a link is no file', async () => {
    await begin()
    expect((await ask(['src/deep', 'src/deeper'])).said).toEqual({
      'src/util.ts': ['./deep/base.js > ./deeper/base.js'],
    })
    expect(await ask(['src/b.ts', 'src/c.ts'])).toMatchObject({ texts: [], note: null })
    await symlink(join(rig.folder, 'src/util.ts'), join(rig.folder, 'src/link.ts'))
    expect(await ask(['src/link.ts', 'src/other.ts'], ['src/none.ts', 'src/nothing.ts'])).toMatchObject({ texts: [] })
  })
})

describe('a server that', () => {
  const capabilities = {
    workspace: { fileOperations: { willRename: { filters: [{ pattern: { glob: '**/*.fake', matches: 'file' } }] } } },
  }
  const range = (from: number, to: number) => ({ start: { line: 0, character: from }, end: { line: 0, character: to } })
  const begin = async (behaviour: object) => {
    rig = await createLanguageRig({
      definitions: [fake({ capabilities, ...behaviour }, { followsMoves: true })],
      limits: fakeLimits,
    })
    await rig.put('a.fake', 'names b.fake')
    await rig.put('b.fake', '')
    await rig.put('b.other', '')
  }
  const edits = (uri: string, ...changed: [number, number, string][]) => ({
    'workspace/willRenameFiles': {
      changes: { [uri]: changed.map(([from, to, newText]) => ({ range: range(from, to), newText })) },
    },
  })

  it('answers is asked about what its filters name, and not started for anything else', async () => {
    await begin({})
    expect(await ask(['b.other', 'c.other'])).toMatchObject({ texts: [], note: null })
    expect(rig.children.size).toBe(0)
    await rig.end()
    await begin({ silent: ['workspace/willRenameFiles'] })
    await rig.verdict('a.fake', 'names b.fake')
    // It would never answer.
    expect(await ask(['b.other', 'c.other'])).toMatchObject({ texts: [], note: null })
  })

  it('says nothing in time is not waited for, and that is told', async () => {
    await begin({ silent: ['workspace/willRenameFiles'] })
    const { texts, note } = await ask(['b.fake', 'c.fake'])
    expect(texts).toEqual([])
    expect(note).toMatch(/Fake did not say in time/)
  })

  it('would change what lies outside, or overlaps, changes nothing, and that is told', async () => {
    await begin({ answers: edits('file:///etc/passwd', [0, 1, 'x']) })
    expect(await ask(['b.fake', 'c.fake'])).toMatchObject({ texts: [], note: expect.stringMatching(/outside/) })
    await rig.end()
    await begin({ answers: edits('$ROOT/a.fake', [0, 8, 'x'], [6, 12, 'y']) })
    expect(await ask(['b.fake', 'c.fake'])).toMatchObject({ texts: [], note: expect.stringMatching(/overlap/) })
    await rig.end()
    await begin({ answers: edits('$ROOT/a.fake', [6, 12, 'c.fake']) })
    expect((await ask(['b.fake', 'c.fake'])).said).toEqual({ 'a.fake': ['b.fake > c.fake'] })
  })
})
