/** The list of problems, as it is told: a window that puts batches over a snapshot has what the list has. */
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type FileProblems, MOST_PROBLEMS, MOST_PROBLEMS_OF_FILE } from '#contract/language-problems'
import type { WirePath } from '#contract/path'
import { createProblems, type Problems } from './problems.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const make = (told: { seq: number; files: FileProblems[] }[] = [], texts: Record<string, string> = {}): Problems =>
  createProblems({
    pathOf: absolute =>
      absolute.startsWith('/w/') ? ({ rootId: 'root_0', path: absolute.slice(3) } as WirePath) : null,
    textOf: async absolute => texts[absolute] ?? null,
    count: { seq: 0 },
    tell: batch => void told.push(batch),
  })
const speaker = (id: string) => ({ id, serverId: id, encoding: 'utf-8' }) as const
const place = (line: number, character: number) => ({ start: { line, character }, end: { line, character } })
const wrong = (message: string, more: object = {}) => ({ range: place(0, 0), message, severity: 1, ...more })
const settle = () => vi.advanceTimersByTimeAsync(500)

it('holds no more than is shown, the gravest first, and counts all', async () => {
  const problems = make()
  const many = (count: number, severity: number) => Array.from({ length: count }, () => wrong('x', { severity }))
  problems.heard(speaker('a'), { absolute: '/w/one', document: null, items: [...many(600, 2), ...many(3, 1)] })
  await settle()
  const [file] = problems.snapshot().files
  expect(file?.counts).toEqual({ error: 3, warning: 600, info: 0, hint: 0 })
  expect(file?.problems).toHaveLength(MOST_PROBLEMS_OF_FILE)
  expect(file?.problems.slice(0, 4).map(({ severity }) => severity)).toEqual(['error', 'error', 'error', 'warning'])
  for (let at = 0; at < 30; at++)
    problems.heard(speaker('a'), { absolute: `/w/${at}`, document: null, items: many(10_000, 1) })
  await settle()
  const { files } = problems.snapshot()
  expect(files.reduce((sum, each) => sum + each.problems.length, 0)).toBe(MOST_PROBLEMS)
  expect(files.filter(({ counts }) => counts.error === 10_000)).toHaveLength(30)
})

it('places what is not open by what stands on disk, and leaves out what lies outside', async () => {
  const problems = make([], { '/w/a': '😀é BAD' })
  problems.heard(speaker('a'), { absolute: '/w/a', document: null, items: [wrong('x', { range: place(0, 7) })] })
  problems.heard(speaker('a'), { absolute: '/elsewhere', document: null, items: [wrong('x')] })
  await settle()
  expect(problems.snapshot().files.map(({ path, problems: [first] }) => [path, first?.range.start.character])).toEqual([
    [{ rootId: 'root_0', path: 'a' }, 4],
  ])
})

it('says all that there is to a problem, and only addresses of the web', async () => {
  const problems = make([], { '/w/a': 'one\ntwo' })
  const related = (uri: string, line: unknown) => ({
    location: { uri, range: place(line as number, 1) },
    message: 'see',
  })
  const items = [
    wrong('x', { code: 7, codeDescription: { href: 'https://x.y/z' }, tags: [1, 2, 9], source: 's' }),
    wrong('y', { codeDescription: { href: 'javascript:alert(1)' }, severity: 4 }),
    wrong('z', {
      severity: 3,
      relatedInformation: [related('file:///w/a', 9), related('file:///lib', 5), related('x:', 0)],
    }),
    { message: 'no range' },
    wrong({} as string),
  ]
  problems.heard(speaker('a'), { absolute: '/w/a', document: null, items })
  await settle()
  const [file] = problems.snapshot().files
  expect(file?.counts).toEqual({ error: 1, warning: 0, info: 1, hint: 1 })
  expect(file?.problems).toMatchObject([
    { code: '7', codeUrl: 'https://x.y/z', tags: ['unnecessary', 'deprecated'], source: 's', related: [] },
    {
      severity: 'info',
      related: [
        { path: { path: 'a' }, range: place(1, 3) },
        { path: { uri: 'file:///lib' }, range: place(5, 1) },
      ],
    },
    { severity: 'hint', code: null, codeUrl: null },
  ])
})

it('is what a window makes of its batches, whatever comes and goes', async () => {
  const act = fc.record({
    kind: fc.constantFrom('heard', 'heard', 'heard', 'forget', 'gone', 'pause'),
    server: fc.constantFrom('a', 'b'),
    file: fc.constantFrom('/w/x', '/w/x/y', '/w/z'),
    count: fc.integer({ min: 0, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 30 }), async acts => {
      const told: { seq: number; files: FileProblems[] }[] = []
      const problems = make(told)
      for (const { kind, server, file, count } of acts) {
        if (kind === 'pause') await settle()
        else if (kind === 'forget') problems.forget(server, count === 0 ? null : file)
        else if (kind === 'gone') problems.gone(file)
        else problems.heard(speaker(server), { absolute: file, document: null, items: Array(count).fill(wrong('m')) })
      }
      await settle()
      const counted = (files: Iterable<FileProblems>) =>
        [...files]
          .filter(({ counts }) => counts.error > 0)
          .map(each => JSON.stringify(each))
          .sort()
      const window = new Map(
        told.flatMap(({ files }) => files.map(each => [JSON.stringify([each.path, each.serverId]), each])),
      )
      expect(counted(window.values())).toEqual(counted(problems.snapshot().files))
      expect(told.map(({ seq }) => seq)).toEqual(told.map((_, index) => index + 1))
      problems.dispose()
      const after = new Map(
        told.flatMap(({ files }) => files.map(each => [JSON.stringify([each.path, each.serverId]), each])),
      )
      expect(counted(after.values())).toEqual([])
    }),
    { numRuns: 50 },
  )
})
