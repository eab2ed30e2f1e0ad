import { expect, test } from 'vitest'
import { parseWebArguments } from './web-arguments.ts'

const plain = { port: 0, folder: null, open: true, host: '127.0.0.1', tls: null, passwordFile: null }

test('a port, a folder, and what a person names', () => {
  expect(parseWebArguments([])).toEqual(plain)
  expect(parseWebArguments(['8080', 'work', '--no-open'])).toEqual({
    ...plain,
    port: 8080,
    folder: 'work',
    open: false,
  })
  expect(parseWebArguments(['--', '--no-open'])).toEqual({ ...plain, folder: '--no-open' })
  expect(
    parseWebArguments(
      ['--host', '0.0.0.0', '--tls-cert=a.pem', '--tls-key', 'a=b.key', '--password-file', 'p', '4711'],
      'serve',
    ),
  ).toEqual({
    ...{ port: 4711, folder: null, open: false, host: '0.0.0.0', passwordFile: 'p' },
    tls: { cert: 'a.pem', key: 'a=b.key' },
  })
  expect(parseWebArguments(['--host', '127.0.0.2']).host).toBe('127.0.0.2')
})

test('what is not understood, belongs together, or would let others in is said', () => {
  const refused = (...args: string[]) => expect(() => parseWebArguments(args))
  refused('--open').toThrow('does not know --open')
  refused('a', 'b').toThrow('a second one')
  refused('70000').toThrow('no port')
  refused('--host').toThrow('needs a value')
  refused('--host', '--no-open').toThrow('needs a value')
  refused('--tls-cert', 'a').toThrow('belong together')
  refused('--host', '0.0.0.0').toThrow('without TLS')
  refused('--host', '192.0.2.7', '--password-file', 'p').toThrow('without TLS')
  expect(() => parseWebArguments(['--no-open'], 'serve')).toThrow('does not know --no-open')
})
