import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { causeOf } from './cause.ts'

const linesOf = (code: string) =>
  spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', timeout: 10_000 }).stderr.split(
    '\n',
  )

test('the error of a real crash is found among its frames', () => {
  expect(causeOf(linesOf('throw new TypeError("no such thing")'))).toBe('TypeError: no such thing')
  expect(causeOf(linesOf('await import("not-there")'))).toContain("Cannot find package 'not-there'")
  expect(causeOf(linesOf('Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))'))).toBe('Error: full')
})

test('without one the last line that says something', () => {
  expect(causeOf(['warming up', 'the disk is gone', '', '    at x (y.js:1:1)', 'Node.js v20.20.2'])).toBe(
    'the disk is gone',
  )
  expect(causeOf([])).toBe(null)
})
