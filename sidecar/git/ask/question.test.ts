import { expect, it } from 'vitest'
import { readQuestion } from './question.ts'

it.each([
  ["Username for 'https://example.org': ", { kind: 'user', host: 'example.org', of: null, secret: false }],
  [
    "Password for 'https://a%40b@example.org:8443': ",
    { kind: 'password', host: 'example.org:8443', of: 'a@b', secret: true },
  ],
  ["Password for 'http://me@[::1]:80': ", { kind: 'password', host: '[::1]', of: 'me' }],
  ["Password for 'https://github.com@evil.example': ", { kind: 'password', host: 'evil.example', of: 'github.com' }],
  ["Password for 'https://gіthub.com': ", { kind: 'password', host: 'xn--gthub-n2e.com' }],
  ["Password for 'no address': ", { kind: 'password', host: null, secret: true }],
  [
    "Enter passphrase for key '/home/me/.ssh/id_ed25519': ",
    { kind: 'passphrase', host: null, of: '/home/me/.ssh/id_ed25519', secret: true },
  ],
  ["git@example.org's password: ", { kind: 'password', host: 'example.org', of: 'git', secret: true }],
  [
    "The authenticity of host 'example.org (192.0.2.1)' can't be established.\nED25519 key fingerprint is SHA256:abc.\nAre you sure you want to continue connecting (yes/no/[fingerprint])? ",
    { kind: 'hostKey', host: 'example.org', secret: false },
  ],
  ['Something else? ', { kind: 'other', host: null, secret: true }],
])('%j', (prompt, expected) => {
  expect(readQuestion(prompt)).toMatchObject(expected)
})

it('shows what no eye sees, and is not endless', () => {
  expect(readQuestion('pass\u202eword\u0007:').question).toBe('pass[U+202E]word[U+0007]:')
  expect(readQuestion('x'.repeat(100_000)).question.length).toBeLessThan(5000)
})
