/** Hostile names in a native dialog. */
import { expect, it } from 'vitest'
import { plainLine } from './plain.ts'

it('is one bounded line in which nothing hides', () => {
  expect(plainLine(' rm -rf /\n\n\tx ', 80)).toBe('rm -rf / x')
  expect(plainLine('a\u202etxt.exe\u0000\u001b[1m', 80)).toBe('a\ufffdtxt.exe\ufffd\ufffd[1m')
  expect(plainLine('a'.repeat(100), 5)).toBe('aaaa…')
  expect(plainLine('aaa🪢🪢', 5)).toBe('aaa…')
  expect(plainLine('a b 中文 🪢', 80)).toBe('a b 中文 🪢')
})
