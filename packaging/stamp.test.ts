/** A real repository, since that is what is asked. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { stamp } from './stamp.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-stamp-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('it is the commit and its date, whatever the clock says; others name the date; changes are confessed', () => {
  const env = { PATH: process.env.PATH }
  expect(stamp(folder, env)).toEqual({ commit: null, date: null })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], {
      ...{ cwd: folder, encoding: 'utf8' },
      env: { ...env, GIT_COMMITTER_DATE: '2026-01-02T03:04:05+0200', GIT_CONFIG_GLOBAL: '/dev/null' },
    }).trim()
  git('init', '-q')
  writeFileSync(join(folder, 'a'), 'a')
  git('add', 'a')
  git('commit', '-qm', 'a')
  const commit = git('rev-parse', 'HEAD').slice(0, 12)
  expect(stamp(folder, env)).toEqual({ commit, date: '2026-01-02T01:04:05.000Z' })
  expect(stamp(folder, { ...env, SOURCE_DATE_EPOCH: '0' })).toEqual({ commit, date: '1970-01-01T00:00:00.000Z' })
  writeFileSync(join(folder, 'a'), 'b')
  expect(stamp(folder, env).commit).toBe(`${commit}+`)
})
