/** The real servers, one suite for all: a mistake is told at its place, whatever stands before it; mended, the file is clean. */
import { mkdir, realpath, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOnPath } from '../base/on-path.ts'
import type { ServerDefinition } from './definition.ts'
import { shippedServers } from './registry.ts'
import { createLanguageRig, type LanguageRig } from './rig.case.ts'

interface Subject {
  readonly id: string
  readonly file: string
  /** A line without a mistake, and the same with one that starts at the mark `▸`. */
  readonly good: string
  readonly bad: string
  readonly message: RegExp
  /** Stands before it: characters of more than one unit, tabs. */
  readonly before: string
  readonly lineEnds?: readonly string[]
  /** It tells syntax first and types when it knows them: only its last word counts. */
  readonly inSeveralGoes?: boolean
  readonly definition?: Partial<ServerDefinition>
  /** A person's own: it is run where these programs are on PATH, and named as not run elsewhere. */
  readonly optional?: readonly string[]
  /** Of its project. */
  readonly project?: (rig: LanguageRig) => Promise<void>
}

const typescript: Omit<Subject, 'id'> = {
  file: 'src/a.ts',
  before: "export const smile = '😀'\n\t\t",
  good: "const 名: string = '😀😀'; export const x: number = 1",
  bad: "const 名: string = '😀😀'; export const ▸x: number = 'a'",
  message: /not assignable to type 'number'/,
}

const python: Omit<Subject, 'id'> = {
  file: 'a.py',
  before: '# 😀\nif True:\n\t',
  good: "a = '😀'; x: int = 1",
  bad: "a = '😀'; x: int = ▸'a'",
  message: /not assignable to .*"int"/,
}

const subjects: Subject[] = [
  { id: 'typescript', ...typescript },
  {
    id: 'typescript-language-server',
    ...typescript,
    inSeveralGoes: true,
    definition: {
      name: 'typescript-language-server',
      program: { kind: 'package', package: 'typescript-language-server', file: 'lib/cli.mjs', args: ['--stdio'] },
      languages: { '.ts': 'typescript' },
    },
  },
  { id: 'python', ...python },
  // The same by the other way of telling.
  { id: 'python', ...python, definition: { pushes: true } },
  {
    id: 'json',
    file: 'a.json',
    before: '{ "a": "😀",\n\t',
    good: '"b": 1 }',
    bad: '"b": ▸}',
    message: /Value expected/,
  },
  {
    id: 'css',
    file: 'a.css',
    before: '/* 😀 */\n\t',
    good: "a { content: '😀'; color: red }",
    bad: "a { content: '😀'; color ▸red }",
    message: /colon expected/,
  },
  {
    id: 'html',
    file: 'a.html',
    before: '<p>😀</p>\n\t',
    good: "<script>let a = '😀'; let b = 1</script>",
    bad: "<script>let a = '😀'; let b = ▸;</script>",
    message: /Expression expected/,
  },
  {
    id: 'yaml',
    file: 'a.yaml',
    before: "a: '😀'\n",
    good: "b: ['😀', 1]",
    bad: "b: ['😀', 1]▸]",
    message: /flow|Flow|Unexpected/,
  },
  {
    id: 'bash',
    file: 'a.sh',
    before: '#!/bin/bash\necho "😀"\n',
    good: 'if true; then echo; fi',
    bad: '▸if true; then echo; fii',
    message: /fi|if/,
    // To a shell the carriage return is part of the word before it, and that is what is told.
    lineEnds: ['LF', 'BOM'],
  },
  {
    id: 'clangd',
    file: 'a.c',
    before: '/* 😀 */\nint main(void) {\n\t',
    good: 'const char *s = "😀"; int x = 1; return s[x]; }',
    bad: 'const char *s = "😀"; int x = ▸y; return s[x]; }',
    message: /undeclared identifier 'y'/,
  },
  {
    id: 'go',
    file: 'a.go',
    before: 'package work\n\n// 😀\nfunc F() int {\n\t',
    good: 's := "😀"; x := 1; return len(s) + x }',
    bad: 's := "😀"; x := 1; return len(s) + x + ▸y }',
    message: /undeclared name: y|undefined: y/,
    optional: ['gopls', 'go'],
    project: rig => rig.put('go.mod', 'module work\n\ngo 1.19\n'),
  },
  {
    id: 'php',
    file: 'a.php',
    before: '<?php\n// 😀\n\t',
    good: "$s = '😀'; echo strlen($s);",
    bad: "$s = '😀'; echo ▸length($s);",
    message: /Undefined function 'length'/,
    optional: ['intelephense'],
  },
  {
    id: 'eslint',
    file: 'a.js',
    before: '/* 😀 */\n\t',
    good: "const s = '😀'; export const x = s",
    bad: "const s = '😀'; export const x = s + ▸y",
    message: /'y' is not defined/,
    optional: ['eslint'],
    async project(rig) {
      const program = await realpath(findOnPath(['eslint'], process.env) ?? '')
      await mkdir(join(rig.folder, 'node_modules'))
      await symlink(join(dirname(program), '..'), join(rig.folder, 'node_modules/eslint'))
      await rig.put('eslint.config.mjs', "export default [{ rules: { 'no-undef': 'error' } }]\n")
    },
  },
]

/** A cold start of the slowest, on a machine that does other things too. */
const PATIENCE_MS = 60_000

const missingOf = ({ optional = [] }: Subject): string[] =>
  optional.filter(program => findOnPath([program], process.env) === null)
const isThere = (subject: Subject): boolean => missingOf(subject).length === 0
describe.each(subjects.filter(each => !isThere(each)))('$id', subject => {
  it.skip(`is not run: there is no ${missingOf(subject).join(', no ')} on this machine`)
})

describe.each(subjects.filter(isThere))(
  '$id',
  { timeout: PATIENCE_MS },
  ({ id, file, before, good, bad, message, definition, project, lineEnds, inSeveralGoes }) => {
    let rig: LanguageRig
    beforeAll(async () => {
      const known = shippedServers.find(each => each.id === id)
      const made = { id, executesProjectCode: true, rootMarkers: [], install: '', ...known, ...definition }
      rig = await createLanguageRig({ definitions: [made as ServerDefinition] })
      await project?.(rig)
    })
    afterAll(async () => {
      await rig.end()
      expect([...rig.children]).toEqual([])
    })

    it.each(
      [
        { name: 'LF', lineEnd: '\n', mark: '' },
        { name: 'CRLF', lineEnd: '\r\n', mark: '' },
        { name: 'BOM', lineEnd: '\n', mark: '\uFEFF' },
      ].filter(({ name }) => lineEnds?.includes(name) ?? true),
    )('tells a mistake at its place and sees it mended ($name)', async ({ lineEnd, mark }) => {
      const text = (line: string) => mark + `${before}${line}\n`.replace('▸', '').replaceAll('\n', lineEnd)
      const lines = (before + bad).split('\n')
      if (inSeveralGoes)
        await expect
          .poll(async () => (await rig.verdict(file, text(bad)))?.state, { timeout: PATIENCE_MS / 2 })
          .toBe('errors')
      const broken = await rig.verdict(file, text(bad))
      expect(broken).toMatchObject({ state: 'errors', path: { path: file } })
      const told = broken?.items.find(each => message.test(each.message))
      expect(told, JSON.stringify(broken)).toMatchObject({
        line: lines.length,
        column: (lines.at(-1) ?? '').indexOf('▸') + 1,
      })
      if (inSeveralGoes)
        await expect
          .poll(async () => (await rig.verdict(file, text(good)))?.state, { timeout: PATIENCE_MS / 2 })
          .toBe('clean')
      expect(await rig.verdict(file, text(good))).toMatchObject({ state: 'clean', errorCount: 0, items: [] })
    })

    it('applies no change twice when the disk is heard of too, and outlives what it cannot read', async () => {
      const text = (line: string) => `${before}${line}\n`.replace('▸', '')
      // Never the same text again: some say nothing of what they have said of it before.
      let round = 0
      const state = async () => {
        round += 1
        return (await rig.verdict(file, text(good) + '\n'.repeat(round)))?.state
      }
      const clean = () => expect.poll(state, { timeout: PATIENCE_MS / 2 }).toBe('clean')
      await clean()
      await rig.put(file, text(bad).repeat(2))
      rig.changed.emit([{ path: rig.at(file), change: 'changed', folder: false }])
      await clean()
      await rig.verdict(file, '}}}]]]((( \0 \ud800 <<< `{{{')
      await clean()
    })
  },
)
