import { expect, it } from 'vitest'
import { CallId } from '#contract/id'
import { createViolations } from './violations.ts'

const readIn = (output: string): string[] => {
  const violations = createViolations(
    CallId.parse('call_1'),
    (category, path) => category === 'write' && path === '/w/.git/hooks/x',
  )
  violations.read(output, '/w')
  return violations.all().map(({ category, target }) => `${category} ${target}`)
}

it.each([
  ['/usr/bin/bash: line 1: /etc/passwd: Read-only file system', ['write /etc/passwd']],
  ['bash: line 12: .git/hooks/x: Permission denied', ['write /w/.git/hooks/x']],
  ["touch: cannot touch '/root/x': Read-only file system", ['write /root/x']],
  ["Error: EROFS: read-only file system, open '/var/x'", ['write /var/x']],
  ['/usr/bin/bash: line 1: unheard-of: command not found', []],
  ['cat: /etc/shadow: Permission denied', []],
])('reads what was stopped, and not who complains: %s', (line, stopped) => {
  expect(readIn(`before\n${line}\nafter`)).toEqual(stopped)
})
