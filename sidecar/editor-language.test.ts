/** The language of an open document, over the wire and the whole core: trust, unsaved text, what is wrong, another name. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#contract/client'
import type { WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { FileProblems } from '#contract/language-problems'
import type { WirePath } from '#contract/path'
import { openWindow, startCore } from './core.case.ts'
import type { Core } from './core.ts'

let home: string
let core: Core
let window: Client<BelayContract>
let workspaceId: WorkspaceId
let path: (name: string) => WirePath
const events: string[] = []
const problems = new Map<string, FileProblems>()

beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-editor-language-')))
  const folder = join(home, 'work')
  await mkdir(folder)
  await writeFile(join(folder, 'a.ts'), 'export const a: number = 1\n')
  core = await startCore(home)
  window = await openWindow(core)
  const info = await window.workspace.open({ folder })
  workspaceId = info.workspaceId as WorkspaceId
  path = name => ({ rootId: info.roots[0]?.rootId, path: name }) as WirePath
  window.on('language/featuresChanged', () => void events.push('features'))
  window.on('language/problemsChanged', ({ files }) => {
    for (const each of files) problems.set((each.path as WirePath).path, each)
  })
})
afterAll(async () => {
  await core.dispose()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

it('starts with trust, knows what is typed and not saved, follows a new name, and ends with trust', async () => {
  const { state, text } = await window.document.open({ workspaceId, path: path('a.ts') })
  const { documentId } = state
  const about = (version: number) => ({ workspaceId, documentId, version })
  const features = () => window.language.features({ workspaceId, documentId })
  const untrusted = { state: 'untrusted', note: expect.stringMatching(/not trusted/), features: { hover: false } }
  expect(await features()).toMatchObject(untrusted)
  const position = { line: 0, character: 13 }
  expect(await window.language.hover({ ...about(state.version), position })).toEqual({ stale: true })
  expect(await window.language.problems({ workspaceId })).toEqual({ epoch: 'epoch', seq: 0, files: [] })

  await window.workspace.trust({ workspaceId, trusted: true })
  await expect.poll(() => events.length).toBeGreaterThan(0)
  await expect.poll(async () => (await features()).state, { timeout: 20_000 }).toBe('ready')
  expect((await features()).features).toMatchObject({ hover: true, rename: true, semanticTokens: true })

  const at = text.indexOf('1')
  const { version } = await window.document.change({
    documentId,
    baseVersion: state.version,
    changes: [{ from: at, to: at + 1, text: "'😀'" }],
  })
  await expect
    .poll(() => problems.get('a.ts'), { timeout: 10_000 })
    .toMatchObject({
      serverId: 'typescript',
      of: { documentId, version },
      counts: { error: 1 },
      problems: [{ code: '2322', range: { start: position, end: { line: 0, character: 14 } } }],
    })
  const snapshot = await window.language.problems({ workspaceId })
  expect(snapshot.files).toEqual([problems.get('a.ts')])
  expect(await window.language.hover({ ...about(state.version), position })).toEqual({ stale: true })
  const hovered = await window.language.hover({ ...about(version), position })
  expect('parts' in hovered && hovered.parts.map(({ text: words }) => words).join()).toContain('const a: number')

  await window.document.save({ documentId })
  await window.workspace.move({ workspaceId, moves: [{ from: path('a.ts'), to: path('b.ts') }] })
  await features()
  await expect
    .poll(() => ['a.ts', 'b.ts'].map(name => problems.get(name)?.counts.error), { timeout: 20_000 })
    .toEqual([0, 1])
  expect((await window.language.problems({ workspaceId })).files.map(each => (each.path as WirePath).path)).toEqual([
    'b.ts',
  ])

  await window.workspace.trust({ workspaceId, trusted: false })
  await expect.poll(() => problems.get('b.ts')?.counts.error).toBe(0)
  expect(await features()).toMatchObject(untrusted)
  expect((await window.language.problems({ workspaceId })).files).toEqual([])
}, 60_000)
