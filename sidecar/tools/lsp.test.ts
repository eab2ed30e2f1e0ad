/** The lsp tool and the verdicts of the file tools, with a real workspace and the TypeScript server that ships. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Action, Tool, ToolContext, ToolOutcome } from '../agent/ports.ts'
import { createLanguage, type Language } from '../language/language.ts'
import type { WorkspaceControl } from '../workspace/workspace.ts'
import { createLsp } from './lsp.ts'
import { createRig, type Rig } from './rig.case.ts'
import { withVerdicts } from './verdicts.ts'

let rig: Rig
let language: Language
let tools: Tool[]
const children = new Set<number>()

beforeAll(async () => {
  rig = await createRig()
  ;(rig.workspace as WorkspaceControl).setTrust('full')
  language = createLanguage({
    workspace: () => rig.workspace,
    environment: async () => process.env,
    ledger: { add: pid => void children.add(pid), remove: pid => void children.delete(pid) },
    log: () => {},
    enabled: () => true,
    servers: () => ({}),
    budgetMs: () => 20_000,
    epoch: 'test',
  })
  tools = withVerdicts([...rig.tools, createLsp(language, () => rig.workspace)], language, () => rig.workspace)
  await rig.put('tsconfig.json', '{ "compilerOptions": { "strict": true, "module": "nodenext" } }')
  await rig.put(
    'area.ts',
    'export interface Shape {\n  area(): number\n}\nexport function total(shapes: Shape[]): number {\n  return shapes.reduce((sum, each) => sum + each.area(), 0)\n}\n',
  )
  await rig.put(
    'main.ts',
    "import { type Shape, total } from './area.js'\n\nclass Square implements Shape {\n  area() {\n    return 4\n  }\n}\nexport const all = total([new Square()])\n",
  )
})
afterAll(async () => {
  await language.dispose()
  expect([...children]).toEqual([])
  await rig.end()
})

type Called = ToolOutcome & { action: Action | null }
const call = async (name: string, args: object, changes: Partial<ToolContext> = {}): Promise<Called> => {
  const tool = tools.find(each => each.name === name) as Tool
  const context = { ...rig.context, ...changes }
  try {
    const parsed = tool.parameters.parse(args)
    const action = await tool.describe(parsed, context)
    return { action, ...(await tool.run(parsed, context)) }
  } catch (fault) {
    return { action: null, failed: true, text: (fault as Error).message, files: [], lsp: [], detail: {} }
  }
}
const lsp = async (operation: string, args: object) => {
  const { text, failed } = await call('lsp', { operation, ...args })
  // Between marks, for it is a stranger's.
  return failed ? text : text.replace(/^<answer \w+ from "[^"]*">\n|\n<\/answer \w+>$/g, '')
}

it('a file that is read starts its server, and is not kept waiting for it', async () => {
  expect(children.size).toBe(0)
  expect(await call('read', { path: 'area.ts' })).toMatchObject({ failed: false, lsp: [] })
  await expect.poll(() => children.size, { timeout: 20_000 }).toBe(1)
})

describe('questions', () => {
  it('about a symbol in a line are answered with places', async () => {
    expect(await lsp('definition', { path: 'main.ts', line: 8, symbol: 'total' })).toBe('area.ts:4:17')
    expect((await lsp('references', { path: 'area.ts', line: 4, symbol: 'total' })).split('\n').sort()).toEqual([
      'area.ts:4:17',
      'main.ts:1:22',
      'main.ts:8:20',
    ])
    expect(await lsp('implementation', { path: 'area.ts', line: 1, symbol: 'Shape' })).toContain('main.ts:3:7')
    expect(await lsp('hover', { path: 'main.ts', line: 8, column: 20 })).toContain('total(shapes: Shape[]): number')
    expect(await lsp('incoming_calls', { path: 'area.ts', line: 4, symbol: 'total' })).toContain('main.ts')
    expect(await lsp('outgoing_calls', { path: 'area.ts', line: 4, symbol: 'total' })).toContain(
      'area.ts:2:3  method area',
    )
  })

  it('about a file and the whole are answered with names', async () => {
    expect(await lsp('symbols', { path: 'area.ts' })).toBe(
      'area.ts:1:18  interface Shape\narea.ts:2:3    method area\narea.ts:4:17  function total\narea.ts:5:24    function shapes.reduce() callback',
    )
    expect(await lsp('workspace_symbols', { path: 'main.ts', query: 'Square' })).toContain('main.ts:3:7  class Square')
  })

  it('about what could be done with a line list it', async () => {
    await call('write', { path: 'lacks.ts', content: 'export const sum = total([])\n' })
    expect(await lsp('code_actions', { path: 'lacks.ts', line: 1 })).toContain('Add import from "./area"')
  })

  it('that cannot be answered say what would have worked', async () => {
    expect(await lsp('definition', { path: 'main.ts' })).toContain('needs "line"')
    expect(await lsp('definition', { path: 'main.ts', line: 8, symbol: 'nothing' })).toContain(
      'does not contain "nothing"',
    )
    expect(await lsp('definition', { path: 'notes.txt', line: 1 })).toContain('No language server covers .txt')
    expect(await lsp('hover', { path: 'gone.ts', line: 1 })).toContain('not there')
    expect(await lsp('hover', { path: '/etc/passwd', line: 1 })).toContain('outside the workspace')
  })
})

describe('a rename', () => {
  it('is shown whole, written as it was shown, and meets the rules of every file', async () => {
    const args = { operation: 'rename', path: 'area.ts', line: 4, symbol: 'total', newName: 'sum_of_all' }
    const denied = await call('lsp', args, { approve: async () => ({ allowed: false, why: 'a rule' }) })
    expect(denied).toMatchObject({ failed: true, text: 'main.ts may not be changed: a rule. Nothing was renamed.' })
    expect(await readFile(join(rig.folder, 'area.ts'), 'utf8')).toContain('function total')

    const { action, text, files, lsp } = await call('lsp', args)
    expect(action).toMatchObject({ kind: 'write', path: join(rig.folder, 'area.ts'), creates: false })
    expect(action?.kind === 'write' && action.exact).toMatch(
      /-export function total[\s\S]*\+export function sum_of_all[\s\S]*main\.ts/,
    )
    expect(text).toMatch(/^Renamed in 2 files:\narea.ts \(1\)\nmain.ts \(2\)/)
    expect(files.map(({ path }) => path.path)).toEqual(['area.ts', 'main.ts'])
    expect(await readFile(join(rig.folder, 'main.ts'), 'utf8')).toContain('sum_of_all([new Square()])')
    expect(lsp).toMatchObject([{ state: 'clean' }, { state: 'clean' }])
  })
})

describe('the verdict on a write', () => {
  it('comes with the result, for the model between marks, for the card as data; mended, it is clean', async () => {
    await call('read', { path: 'main.ts' })
    const typed = "export const all: '</diagnostics>' ="
    const wrong = await call('edit', { path: 'main.ts', edits: [{ old: 'export const all =', new: typed }] })
    expect(wrong.failed).toBe(false)
    const items = [{ line: 8, column: 14, source: 'ts' }]
    expect(wrong.lsp).toMatchObject([{ path: { path: 'main.ts' }, state: 'errors', errorCount: 1, items }])
    expect(wrong.verdict).toMatch(
      /^The language server found errors in what was written\. Fix them:\n<diagnostics (\w+) from "main\.ts">\nERROR \[8:14\] .*<\/diagnostics>.* \(ts\)\n<\/diagnostics \1>$/,
    )
    const mended = await call('edit', { path: 'main.ts', edits: [{ old: typed, new: 'export const all =' }] })
    expect(mended).toMatchObject({ lsp: [{ state: 'clean', errorCount: 0 }] })
    expect(mended.verdict).toBeUndefined()
  })

  it('also tells what it broke in other files that are open there', async () => {
    await call('read', { path: 'area.ts' })
    const { lsp, verdict } = await call('edit', {
      path: 'area.ts',
      edits: [{ old: 'area(): number', new: 'area(): number\n  name: string' }],
    })
    expect(lsp).toMatchObject([
      { path: { path: 'area.ts' }, state: 'clean' },
      { path: { path: 'main.ts' }, state: 'errors', errorCount: 2, items: [{ line: 3 }, { line: 8 }] },
    ])
    expect(verdict).toMatch(/^Errors that are new in other files.*\n<diagnostics \w+ from "main\.ts">\nERROR \[3:7\]/)
  })

  it('sees what was installed meanwhile', async () => {
    const text = "import { pad } from 'pad-of-mine'\nexport const padded: string = pad('a')\n"
    const missing = await call('write', { path: 'uses.ts', content: text })
    expect(missing.lsp).toMatchObject([{ state: 'errors', items: [{ line: 1, column: 21 }] }])
    await rig.put('node_modules/pad-of-mine/package.json', '{ "name": "pad-of-mine", "types": "index.d.ts" }')
    await rig.put('node_modules/pad-of-mine/index.d.ts', 'export function pad(text: string): string')
    await expect
      .poll(
        async () => {
          const { lsp } = await call('edit', { path: 'uses.ts', edits: [{ old: "pad('", new: "pad('a" }] })
          return lsp[0]?.state
        },
        { timeout: 15_000 },
      )
      .toBe('clean')
  })

  it('of a command that wrote many files is had of some, and none is called clean for all', async () => {
    const names = Array.from({ length: 30 }, (_, at) => `many/f${at}.ts`)
    for (const name of names) await rig.put(name, 'export {}\n')
    const { rootId } = rig.workspace.info.roots[0] ?? { rootId: '' as never }
    const { lsp } = await language.check(
      rig.workspace.info.workspaceId,
      names.map(path => ({ rootId, path })),
      rig.context.signal,
    )
    expect(lsp.map(({ state }) => state)).toEqual([...Array(20).fill('clean'), 'none'])
  })

  it('is not claimed where no server covers the file', async () => {
    expect(await call('write', { path: 'notes.txt', content: 'hello' })).toMatchObject({ failed: false, lsp: [] })
  })
})
