import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RootId } from '#contract/id'
import type { Root } from '#contract/workspace'
import { nestedInstructions, readInstructions, surveyInstructions } from './instructions.ts'

let home: string
let root: Root
const put = async (path: string, text: string) => {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text)
}
const rootAt = (name: string): Root => ({
  rootId: RootId.parse(`root_${name}`),
  absolute: join(home, name),
  name,
  readOnly: false,
})
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-advice-')))
  root = rootAt('work')
  await put('work/AGENTS.md', 'top')
  await put('work/CLAUDE.md', 'not this one')
  await put('work/packages/a/CLAUDE.md', 'of a')
  await put('work/packages/a/src/AGENTS.md', 'of src @../../secret.md')
  await put('work/packages/a/src/deep/file.ts', '')
  await put('work/packages/empty/AGENTS.md', ' \n')
  await put('work/packages/empty/CLAUDE.md', 'second choice')
  await put('work/node_modules/x/AGENTS.md', 'of a dependency')
  await put('work/large/AGENTS.md', 'ü'.repeat(100_000))
  await put('outside/AGENTS.md', 'of strangers')
  await put('work/.env', 'SECRET=1')
  for (const name of ['far', 'secret', 'same', 'pipe']) await mkdir(join(home, 'work', name))
  await symlink('../../outside/AGENTS.md', join(home, 'work/far/AGENTS.md'))
  await symlink('../.env', join(home, 'work/secret/AGENTS.md'))
  await symlink('../packages/a/CLAUDE.md', join(home, 'work/same/AGENTS.md'))
  await symlink('../outside', join(home, 'work/linked'))
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(home, 'work/pipe/AGENTS.md')])
})
afterAll(() => rm(home, { recursive: true, force: true }))
const near = async (path: string) => nestedInstructions([root], join(root.absolute, path))

describe('advice of a folder', () => {
  it('of the roots: the first name that says something, named with the root where there are several', async () => {
    expect(await readInstructions([root])).toEqual([{ path: 'AGENTS.md', text: 'top' }])
    expect(await readInstructions([root, rootAt('outside')])).toEqual([
      { path: 'work: AGENTS.md', text: 'top' },
      { path: 'outside: AGENTS.md', text: 'of strangers' },
    ])
  })

  it('of the folders on the way, outermost first, as it is written', async () => {
    expect(await near('packages/a/src/deep/file.ts')).toEqual([
      { path: 'packages/a/CLAUDE.md', text: 'of a' },
      { path: 'packages/a/src/AGENTS.md', text: 'of src @../../secret.md' },
    ])
    expect(await near('packages/empty')).toEqual([{ path: 'packages/empty/CLAUDE.md', text: 'second choice' }])
    expect(await near('README.md')).toEqual([])
    expect(await nestedInstructions([root], join(home, 'outside', 'x'))).toEqual([])
  })

  it('cuts what is long', async () => {
    const [large] = await near('large/x')
    expect(Buffer.byteLength(large?.text ?? '')).toBeLessThan(8300)
    expect(large?.text).toMatch(/ü\n\(cut after 8 KB\)$/)
    let path = 'many'
    for (let i = 0; i < 12; i++) {
      await put(`work/${path}/AGENTS.md`, `${i} ${'x'.repeat(7000)}`)
      path += '/n'
    }
    expect((await near(path)).map(({ text }) => text.slice(0, 2))).toEqual(['9 ', '10', '11'])
  })

  it.skipIf(process.platform === 'win32')(
    'follows no link out of the root, to a secret, or to what waits',
    async () => {
      expect(await near('far/x')).toEqual([])
      expect(await near('secret/x')).toEqual([])
      expect(await near('linked/x')).toEqual([])
      expect(await near('pipe/x')).toEqual([])
      expect(await near('same/x')).toEqual([{ path: 'same/AGENTS.md', text: 'of a' }])
    },
  )

  it('leaves out what dependencies tell their own agents', async () => {
    expect(await near('node_modules/x/index.js')).toEqual([])
  })
})

it('lists every such file with what becomes of it', async () => {
  const paths = ['AGENTS.md', 'packages/a/CLAUDE.md', 'packages/empty/AGENTS.md', 'packages/empty/CLAUDE.md']
  const below = async () => [...paths, 'node_modules/x/AGENTS.md', 'far/AGENTS.md', 'large/AGENTS.md', 'src/index.ts']
  const told = (trusted: boolean) =>
    surveyInstructions([root], trusted, below).then(files => files.map(({ name, kind, state }) => [name, kind, state]))
  expect(await told(true)).toEqual([
    ['AGENTS.md', 'root', 'told'],
    ['CLAUDE.md', 'root', 'shadowed'],
    ['far/AGENTS.md', 'nested', 'unreadable'],
    ['large/AGENTS.md', 'nested', 'near'],
    ['packages/a/CLAUDE.md', 'nested', 'near'],
    ['packages/empty/AGENTS.md', 'nested', 'empty'],
    ['packages/empty/CLAUDE.md', 'nested', 'near'],
  ])
  expect((await told(false)).map(([, , state]) => state)).not.toContain('told')
  const bare = rootAt('none')
  await mkdir(bare.absolute, { recursive: true })
  expect(await surveyInstructions([bare], true, async () => [])).toMatchObject([
    { name: 'AGENTS.md', state: 'missing' },
  ])
})
