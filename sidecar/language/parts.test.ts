/** The small parts: which servers there are, where they start, what they are told, which JDK they get. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LanguageServerSetting } from '#contract/language'
import { endingOf, type ServerDefinition } from './definition.ts'
import { findJdk } from './jdk.ts'
import { findProgram } from './program.ts'
import { nearestMarked } from './project-root.ts'
import { createRegistrations } from './registrations.ts'
import { areCovered, definitionsWith, shippedServers } from './registry.ts'
import { answerOf } from './settings-answer.ts'
import { errorsIn, newErrors } from './verdict.ts'
import { wantedChanges } from './watched-files.ts'

let folder: string
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'belay-language-parts-')))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const put = async (path: string, text = '') => {
  await mkdir(join(folder, path, '..'), { recursive: true })
  await writeFile(join(folder, path), text, { mode: 0o755 })
}

describe('the registry', () => {
  const setting = (said: object) => LanguageServerSetting.parse(said)

  it('holds servers that ship and run without set-up, none of which runs code of the project', () => {
    const shipped = shippedServers.filter(({ program, extra }) => program.kind !== 'path' && !extra)
    expect(shipped.map(({ id }) => id)).toEqual(['typescript', 'json', 'css', 'html', 'yaml', 'python', 'bash'])
    for (const each of shipped) {
      expect(each.executesProjectCode, each.id).toBe(false)
      expect(findProgram(each, {}), each.id).toMatchObject({ version: expect.any(String) })
    }
  })

  it('marks every server whose project can make it run code', () => {
    const marked = shippedServers.filter(each => each.executesProjectCode).map(({ id }) => id)
    expect(marked).toEqual('go rust java lua dart swift kotlin ruby csharp eslint'.split(' '))
  })

  it('covers a file by its name, without looking for a program: most of what is read needs no server', () => {
    const zig = { zig: setting({ command: ['zls'], extensions: ['zig'] }) }
    expect(
      ['/a/b.ts', '/a/B.PY', '/a/b.zig', '/a/b.txt', '/a/README.md', '/a/LICENSE'].map(name => areCovered(name, zig)),
    ).toEqual([true, true, true, false, false, false])
  })

  it('takes changes and additions of the person; what is added may run anything, so it waits for full trust', () => {
    const made = definitionsWith({
      python: setting({ command: ['basedpyright-langserver', '--stdio'], settings: { python: {} } }),
      css: setting({ enabled: false }),
      zig: setting({ command: ['zls'], extensions: ['zig', '.ZON'] }),
      nothing: setting({ command: ['x'] }),
    })
    expect(made.find(({ id }) => id === 'python')).toMatchObject({
      program: { kind: 'command', command: ['basedpyright-langserver', '--stdio'] },
      languages: { '.py': 'python', '.pyi': 'python' },
      executesProjectCode: true,
      settings: { python: {} },
    })
    expect(made.some(({ id }) => id === 'nothing')).toBe(false)
    expect(made.filter(({ off }) => off).map(({ id }) => id)).toEqual(['css'])
    expect(made.filter(({ own }) => own).map(({ id }) => id)).toEqual(['zig'])
    expect(made.find(({ id }) => id === 'zig')).toMatchObject({
      languages: { '.zig': 'zig', '.zon': 'zon' },
      executesProjectCode: true,
    })
  })

  it('finds a program by any of its names, and starts it as that one wants it', async () => {
    const command = async (id: string, ...names: string[]) => {
      for (const name of names) await put(`bin-${names.join('-')}/${name}`)
      const known = shippedServers.find(each => each.id === id) as ServerDefinition
      return findProgram(known, { PATH: join(folder, `bin-${names.join('-')}`) })
    }
    const at = (names: string, name: string) => join(folder, `bin-${names}`, name)
    expect(await command('kotlin', 'kotlin-lsp')).toMatchObject({
      command: [at('kotlin-lsp', 'kotlin-lsp'), '--stdio'],
    })
    expect(await command('kotlin', 'kotlin-language-server')).toMatchObject({
      command: [at('kotlin-language-server', 'kotlin-language-server')],
    })
    expect(await command('csharp', 'csharp-ls')).toMatchObject({ command: [at('csharp-ls', 'csharp-ls')] })
    const both = 'csharp-ls-roslyn-language-server'
    expect(await command('csharp', 'csharp-ls', 'roslyn-language-server')).toMatchObject({
      command: [at(both, 'roslyn-language-server'), '--stdio', '--autoLoadProjects'],
    })
    expect(await command('csharp')).toEqual({ missing: expect.stringMatching(/^C# was not found/) })
  })

  it('takes no program for there that knows nothing without another one', async () => {
    await put('alone/gopls')
    await put('both/gopls')
    await put('both/go')
    const go = shippedServers.find(each => each.id === 'go') as ServerDefinition
    expect(findProgram(go, { PATH: join(folder, 'alone') })).toEqual({
      missing: expect.stringMatching(/^Go \(gopls\) needs go, which was not found: install Go/),
    })
    expect(findProgram(go, { PATH: join(folder, 'both') })).toMatchObject({ command: [join(folder, 'both/gopls')] })
  })

  it('goes by the last ending, whatever its letters', () => {
    expect(['a/b.TS', 'x.d.ts', 'Makefile', 'a.b/c', '.env'].map(endingOf)).toEqual(['.ts', '.ts', '', '', '.env'])
  })
})

describe('where a server starts', () => {
  it('is the nearest marked folder, never above the root', async () => {
    await put('Cargo.toml')
    await put('root/crates/a/Cargo.toml')
    await put('root/crates/a/src/lib.rs')
    await put('root/b/main.rs')
    const nearest = (path: string) => nearestMarked(join(folder, path), join(folder, 'root'), ['Cargo.toml'])
    expect(await nearest('root/crates/a/src/lib.rs')).toBe(join(folder, 'root/crates/a'))
    expect(await nearest('root/b/main.rs')).toBeNull()
  })
})

describe('the JDK', () => {
  it('is the one of JAVA_HOME where that will do, else the newest installed, else none', async () => {
    await put('jvm/java-17/bin/java')
    await put('jvm/java-17/release', 'IMPLEMENTOR="x"\nJAVA_VERSION="17.0.9"\n')
    await put('jvm/temurin-25.jdk/Contents/Home/bin/java')
    await put('jvm/java-21/bin/java')
    await put('jvm/java-21/release', 'JAVA_VERSION="21.0.1"\n')
    await put('old/jdk8/bin/java')
    await put('old/jdk8/release', 'JAVA_VERSION="1.8.0_392"\n')
    await mkdir(join(folder, 'jvm/java-99'), { recursive: true })
    const find = (home?: string) => findJdk(21, home ? { JAVA_HOME: join(folder, home) } : {}, [join(folder, 'jvm')])
    expect(find('jvm/java-21')).toBe(join(folder, 'jvm/java-21'))
    expect(find('jvm/java-17')).toBe(join(folder, 'jvm/temurin-25.jdk/Contents/Home'))
    expect(find()).toBe(join(folder, 'jvm/temurin-25.jdk/Contents/Home'))
    expect(findJdk(21, { JAVA_HOME: join(folder, 'old/jdk8') }, [join(folder, 'old')])).toBeNull()
  })
})

describe('what a server is told', () => {
  it('of settings is an object for every section, also for one that nobody knows', () => {
    const settings = { css: { validate: true }, 'a.b': { whole: 1 }, deep: { er: { x: 1 } } }
    const ask = (...sections: unknown[]) => answerOf(settings, { items: sections.map(section => ({ section })) })
    expect(ask('css', 'a.b', 'deep.er', 'nothing', '__proto__', undefined)).toEqual([
      { validate: true },
      { whole: 1 },
      { x: 1 },
      {},
      {},
      settings,
    ])
    expect(answerOf(settings, null)).toEqual([])
  })

  it('of changes on disk is what it asked for, in folders of any name', () => {
    const registrations = createRegistrations({})
    const watchers = [
      { globPattern: '**/*.{ts,json}', kind: 5 },
      { globPattern: { baseUri: 'file:///elsewhere', pattern: '*.py' } },
      { globPattern: 7 },
    ]
    registrations.add({
      registrations: [{ id: 'a', method: 'workspace/didChangeWatchedFiles', registerOptions: { watchers } }, 3],
    })
    const change = (absolute: string, how: 'created' | 'changed' | 'deleted') => ({ absolute, change: how })
    const all = [
      change('/w [1]/src/a.ts', 'created'),
      change('/w [1]/src/a.ts', 'changed'),
      change('/w [1]/package.json', 'deleted'),
      change('/w [1]/a.md', 'created'),
      change('/elsewhere/a.py', 'changed'),
      change('/elsewhere/deep/a.py', 'changed'),
    ]
    expect(wantedChanges(registrations, '/w [1]', all)).toEqual([all[0], all[2], all[4]])
    registrations.remove({ unregisterations: [{ id: 'a' }] })
    expect(wantedChanges(registrations, '/w [1]', all)).toEqual([])
  })

  it('holds for the documents that a registration selects', () => {
    const registrations = createRegistrations({ hover: true, rename: false, nothing: undefined })
    registrations.add({
      registrations: [
        { id: 'a', method: 'x', registerOptions: { documentSelector: [{ language: 'ts', pattern: '**/src/*.ts' }] } },
        { id: 'b', method: 'x', registerOptions: { documentSelector: [{ scheme: 'git' }] } },
      ],
    })
    const of = (absolute: string, languageId: string) =>
      registrations.of('x', { absolute, languageId }).map(({ id }) => id)
    expect([of('/w/src/a.ts', 'ts'), of('/w/a.ts', 'ts'), of('/w/src/a.ts', 'js')]).toEqual([['a'], [], []])
    expect([
      registrations.of('hover').length,
      registrations.of('rename').length,
      registrations.of('nothing').length,
    ]).toEqual([1, 0, 0])
  })
})

describe('errors', () => {
  const at = (line: number, message: string, severity: unknown = 1) => ({
    range: { start: { line, character: 0 } },
    message,
    severity,
  })
  it('are errors only, in order, each once; nonsense is left out', () => {
    const found = errorsIn([
      at(3, 'b'),
      at(1, 'a'),
      at(1, 'a'),
      at(0, 'w', 2),
      null,
      5,
      { message: {} },
      at(-4, 'c', undefined),
    ])
    expect(found.map(({ message, at: { line } }) => [message, line])).toEqual([
      ['c', 0],
      ['a', 1],
      ['b', 3],
    ])
  })
  it('that only moved are not new; a second one of the same kind is', () => {
    const before = errorsIn([at(1, 'a'), at(2, 'b')])
    const after = errorsIn([at(5, 'a'), at(6, 'b'), at(9, 'b')])
    expect(newErrors(before, after).map(each => each.at.line)).toEqual([9])
    expect(newErrors(after, before)).toEqual([])
  })
})
