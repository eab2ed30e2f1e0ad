import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkspaceId } from '#contract/id'
import { foldersOf } from '../base/folders.ts'
import { editArray } from '../base/json-lines.ts'
import { readKeymap } from './layer.ts'
import { createSettings, type Settings } from './settings.ts'

const workspaceId = 'wsp_one' as WorkspaceId
const context = { clientId: 'test', signal: new AbortController().signal }
let home: string
let root: string
let trusted = true
let settings: Settings

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-settings-')))
  root = join(home, 'project')
  await mkdir(root)
  trusted = true
})
afterEach(async () => {
  settings?.dispose()
  await rm(home, { recursive: true, force: true })
})

const start = () => {
  settings = createSettings({
    folders: foldersOf({ BELAY_HOME: home }),
    log: () => {},
    workspaceOf: id => (id === workspaceId ? { root, trusted } : null),
  })
  return settings
}
const userFile = () => join(home, 'config', 'settings.json')
const workspaceFile = () => join(root, '.belay', 'settings.json')
const put = async (file: string, text: string) => {
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(file, text)
}
const get = () => settings.handlers.get({ workspaceId }, context)
const settingOf = async (key: string) => (await get()).values.find(value => value.key === key)
const heard = () => new Promise<string | null>(done => settings.changed.on(({ root: at }) => done(at)))

describe('layers', () => {
  test('default, then user, then a trusted workspace', async () => {
    await put(userFile(), '{ "editor.fontSize": 15, "editor.tabSize": 3 }')
    await put(workspaceFile(), '{ "editor.fontSize": 18 }')
    start()
    expect(await settingOf('editor.fontSize')).toEqual({
      key: 'editor.fontSize',
      value: 18,
      scope: 'workspace',
      layers: { default: 13, user: 15, workspace: 18 },
    })
    expect(await settingOf('editor.tabSize')).toMatchObject({ value: 3, scope: 'user' })
    expect(settings.get('editor.fontSize')).toBe(15)
    expect(settings.get('editor.fontSize', root)).toBe(18)
    trusted = false
    expect(await settingOf('editor.fontSize')).toMatchObject({ value: 15, scope: 'user' })
  })

  test('what an entry leaves out is filled in: a language server that is named is used', async () => {
    await put(userFile(), '{ "language.servers": { "zig": { "command": ["zls"], "extensions": [".zig"] } } }')
    start()
    await get()
    expect(settings.get('language.servers')).toEqual({
      zig: { enabled: true, command: ['zls'], extensions: ['.zig'] },
    })
  })

  test('a workspace may not widen trust, and says so', async () => {
    await put(
      workspaceFile(),
      '{ "terminal.shell": "/tmp/evil", "agent.mode": "auto", "http.proxy": "http://evil:1", "editor.wordWrap": true }',
    )
    start()
    const { problems } = await get()
    expect(settings.get('terminal.shell', root)).toBe('')
    expect(settings.get('agent.mode', root)).toBe('default')
    expect(settings.get('http.proxy', root)).toBe('system')
    expect(settings.get('editor.wordWrap', root)).toBe(true)
    expect(problems.map(problem => problem.key)).toEqual(['terminal.shell', 'agent.mode', 'http.proxy'])
    await expect(
      settings.handlers.set({ scope: 'workspace', workspaceId, key: 'agent.model', value: 'x/y' }, context),
    ).rejects.toMatchObject({ code: 'denied' })
  })

  test('a broken line costs that line only', async () => {
    await put(
      userFile(),
      '{\n  "editor.fontSize": "big",\n  "editor.tabSize": 4,\n  "editor.minimap": tru,\n  "nope": 1,\n  "editor.wordWrap": true\n',
    )
    start()
    expect(settings.get('editor.fontSize')).toBe(13)
    expect(settings.get('editor.tabSize')).toBe(4)
    expect(settings.get('editor.wordWrap')).toBe(true)
    const { problems } = await get()
    expect(problems.some(problem => problem.key === 'nope')).toBe(true)
    expect(
      problems.some(problem => problem.key === 'editor.fontSize' && problem.message.includes('from 8 to 40')),
    ).toBe(true)
    expect(problems.some(problem => problem.key === null)).toBe(true)
  })

  test('a file that cannot be read says so and is never overwritten', async () => {
    await mkdir(userFile(), { recursive: true })
    start()
    expect((await get()).problems[0]?.message).toContain('not a file')
    await expect(
      settings.handlers.set({ scope: 'user', key: 'editor.tabSize', value: 4 }, context),
    ).rejects.toMatchObject({
      code: 'no_permission',
    })
  })
})

describe('writing', () => {
  test('comments and unknown keys stay; null removes the line', async () => {
    const text = '// mine\n{\n  "future.thing": [1], // later\n  "editor.tabSize": 8\n}\n'
    await put(userFile(), text)
    start()
    await settings.handlers.set({ scope: 'user', key: 'editor.tabSize', value: 4 }, context)
    expect(await readFile(userFile(), 'utf8')).toBe(text.replace('8', '4'))
    await settings.handlers.set({ scope: 'user', key: 'editor.tabSize', value: null }, context)
    const after = await readFile(userFile(), 'utf8')
    expect(after).toBe('// mine\n{\n  "future.thing": [1], // later\n}\n')
    await settings.handlers.set({ scope: 'user', key: 'editor.tabSize', value: 6 }, context)
    expect(await readFile(userFile(), 'utf8')).toContain('// later')
    expect(settings.get('editor.tabSize')).toBe(6)
  })

  test('bad values, names and places are refused before anything is written', async () => {
    start()
    const set = (key: string, value: unknown, scope: 'user' | 'workspace' = 'user') =>
      settings.handlers.set({ scope, workspaceId, key, value }, context)
    await expect(set('editor.tabSize', 400)).rejects.toMatchObject({ code: 'invalid' })
    await expect(set('__proto__', 1)).rejects.toMatchObject({ code: 'invalid' })
    trusted = false
    await expect(set('editor.tabSize', 4, 'workspace')).rejects.toMatchObject({ code: 'untrusted' })
    await expect(readFile(userFile())).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(readFile(workspaceFile())).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a broken file is not edited', async () => {
    await put(userFile(), '{ "editor.tabSize": 4 ')
    start()
    await expect(
      settings.handlers.set({ scope: 'user', key: 'editor.tabSize', value: 2 }, context),
    ).rejects.toMatchObject({
      code: 'invalid',
    })
    expect(await readFile(userFile(), 'utf8')).toBe('{ "editor.tabSize": 4 ')
  })

  test('twenty at once all land', async () => {
    start()
    const sizes = Array.from({ length: 20 }, (_, index) => index + 8)
    await Promise.all([
      ...sizes.map(size => settings.handlers.set({ scope: 'user', key: 'editor.fontSize', value: size }, context)),
      settings.handlers.set({ scope: 'user', key: 'editor.minimap', value: true }, context),
    ])
    expect(JSON.parse((await readFile(userFile(), 'utf8')).replace(/^\/\/.*/, ''))).toEqual({
      'editor.fontSize': 27,
      'editor.minimap': true,
    })
  })

  test('as text: what changed meanwhile is not lost', async () => {
    start()
    const { text } = await settings.handlers.readText({ scope: 'user' }, context)
    await settings.handlers.writeText({ scope: 'user', before: text, text: '{ "editor.tabSize": 5 }' }, context)
    expect(settings.get('editor.tabSize')).toBe(5)
    await expect(
      settings.handlers.writeText({ scope: 'user', before: text, text: '{}' }, context),
    ).rejects.toMatchObject({
      code: 'stale',
    })
    await expect(
      settings.handlers.writeText({ scope: 'user', before: '{ "editor.tabSize": 5 }', text: '{' }, context),
    ).rejects.toMatchObject({ code: 'invalid' })
  })
})

describe('changes from outside', () => {
  test('are told for a file that was there, one that comes, and one whose folder comes', async () => {
    await put(userFile(), '{}')
    start()
    await get()
    const first = heard()
    await writeFile(userFile(), '{ "editor.tabSize": 7 }')
    expect(await first).toBe(null)
    expect(settings.get('editor.tabSize')).toBe(7)
    const second = heard()
    await put(workspaceFile(), '{ "editor.tabSize": 6 }')
    expect(await second).toBe(root)
    expect(settings.get('editor.tabSize', root)).toBe(6)
  })
})

describe('keymap', () => {
  test('is kept with its comments, and bad lines are reported', async () => {
    const file = join(home, 'config', 'keymap.json')
    await put(
      file,
      '// keys\n[\n  // mine\n  { "key": "$mod+K", "command": "app.settings" },\n  { "key": 1 },\n  3\n]\n',
    )
    start()
    const { keymap, problems } = await get()
    expect(keymap).toEqual([{ key: '$mod+K', command: 'app.settings' }])
    expect(problems).toHaveLength(2)
    await settings.handlers.setKeymap(
      {
        keymap: [
          { key: '$mod+K', command: 'app.settings' },
          { key: 'F9', command: null, when: 'editor' },
        ],
      },
      context,
    )
    const text = await readFile(file, 'utf8')
    expect(text).toContain('// mine')
    expect((await get()).keymap).toHaveLength(2)
  })

  test('any list becomes any other', () => {
    const line = fc.record({ key: fc.constantFrom('F1', 'F2', 'F3'), command: fc.constantFrom('a', 'b', null) })
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), fc.array(line, { maxLength: 6 }), (from, to) => {
        const text = `// top\n${JSON.stringify(from, null, 2)}\n`
        expect(readKeymap(editArray(text, to), 'k').keymap).toEqual(to)
      }),
      { numRuns: 200 },
    )
  })
})
