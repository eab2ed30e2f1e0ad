/** Each line of the corpus is taken for what it is, in a real folder. */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RootId } from '#contract/id'
import { lookAtCommand } from '../look-command.ts'
import { movesRefs, protectedPlaces, reads, runs, unknown } from './corpus.case.ts'

let root: string
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'belay-corpus-')))
  await mkdir(join(root, 'src'))
  await mkdir(join(root, '.git'))
  await writeFile(join(root, '.git', 'config'), '[core]\n\tbare = false\n')
  for (const file of ['a.txt', 'src/a.ts', '.env']) await writeFile(join(root, file), 'x\n')
  await symlink(join(root, '.git'), join(root, 'innocent'))
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function kindOf(command: string): Promise<string> {
  const action = { kind: 'command' as const, command, cwd: root, background: false, exact: command }
  const roots = [{ rootId: RootId.parse('root_1'), absolute: root, name: 'root', readOnly: false }]
  const around = { roots, own: [], jailed: true, tool: 'bash', platform: 'linux' as const }
  const { facts } = await lookAtCommand(action, around)
  if (facts.parts.some(({ protectedPart }) => protectedPart !== null)) return 'protected'
  return (
    (['unknown', 'moves-refs', 'runs'] as const).find(kind => facts.parts.some(part => part.kind === kind)) ?? 'reads'
  )
}
const wrongIn = async (lines: readonly string[], kind: string): Promise<[string, string][]> => {
  const wrong: [string, string][] = []
  for (const line of lines) {
    const found = await kindOf(line)
    if (found !== kind) wrong.push([line.slice(0, 100), found])
  }
  return wrong
}

describe('the corpus', () => {
  it.each([
    ['reads', reads],
    ['runs', runs],
    ['moves-refs', movesRefs],
    ['unknown', unknown],
    ['protected', protectedPlaces],
  ] as const)('what %s', async (kind, lines) => {
    expect(await wrongIn(lines, kind)).toEqual([])
  })

  it('is large enough', () => {
    const all = [reads, runs, movesRefs, unknown, protectedPlaces].flat()
    expect(new Set(all).size).toBe(all.length)
    expect(all.length).toBeGreaterThanOrEqual(400)
  })

  it.each([
    ['a program that watches files', '[core]\n\tfsmonitor = ./evil\n'],
    ['an external diff', '[diff]\n\texternal = ./evil\n'],
    ['a text conversion', '[diff "x"]\n\ttextconv = ./evil\n'],
    ['a filter', '[filter "x"] clean = ./evil\n'],
    ['another file of settings', '[include]\n\tpath = ../x\n'],
    ['a signature program', '[GPG]\n\tPROGRAM = ./evil\n'],
    ['a line that goes on', '[core]\n\tfsmon\\\nitor = x\n\tfsmonitor = ./ev\\\nil\n'],
  ])('a repository whose settings run %s is not read silently', async (_, config) => {
    await writeFile(join(root, '.git', 'config'), config)
    try {
      expect(await kindOf('git status')).toBe('runs')
    } finally {
      await writeFile(join(root, '.git', 'config'), '[core]\n\tfsmonitor = false\n')
    }
    expect(await kindOf('git status')).toBe('reads')
  })
})
