/** What a link can say, and that nothing else gets through, whoever wrote it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLink, readLink } from './link.ts'

const openLink = (path: string, more = '') => `belay://open?path=${encodeURIComponent(path)}${more}`
const read = (text: string) => readLink(text, 'linux')
const reason = (text: string, platform: NodeJS.Platform = 'linux') => {
  const answer = readLink(text, platform)
  return answer.ok ? answer.link : answer.reason
}

describe('a link', () => {
  it('opens a folder or a file at a place', () => {
    expect(reason(openLink('/home/ann/a b/ü.ts', '&line=12&column=3'))).toEqual({
      ...{ kind: 'open', path: '/home/ann/a b/ü.ts', line: 12, column: 3 },
    })
    expect(reason('BELAY://OPEN/?path=/w')).toEqual({ kind: 'open', path: '/w', line: null, column: null })
    expect(reason('belay://open?path=C%3A%5Cw%5Ca.ts', 'win32')).toMatchObject({ path: 'C:\\w\\a.ts' })
    expect(reason('belay://open?path=/c++/a+b')).toMatchObject({ path: '/c++/a+b' })
  })

  it('opens a session', () => {
    expect(reason('belay://session?id=ses_0123abc')).toEqual({ kind: 'session', sessionId: 'ses_0123abc' })
    for (const id of ['', 'ses_', '../ses_1', 'ses_1%00', 'trn_1'])
      expect(reason(`belay://session?id=${id}`)).toBe('session')
  })

  it.each([
    ['another verb', 'belay://run?command=rm', 'verb'],
    ['a verb of objects', 'belay://constructor?path=/w', 'verb'],
    ['no verb', 'belay:///w', 'form'],
    ['no slashes', 'belay:open?path=/w', 'form'],
    ['a user', 'belay://me@open?path=/w', 'verb'],
    ['a port', 'belay://open:80?path=/w', 'verb'],
    ['a deeper way', 'belay://open/there?path=/w', 'form'],
    ['an encoded verb', 'belay://%6fpen?path=/w', 'verb'],
    ['another scheme', 'file:///w', 'form'],
    ['a prompt', openLink('/w', '&prompt=hello'), 'part'],
    ['trust', openLink('/w', '&trust=1'), 'part'],
    ['a part twice', 'belay://open?path=/w&path=/etc', 'part'],
    ['a part without a value', 'belay://open?path', 'part'],
    ['an empty part', openLink('/w', '&'), 'part'],
    ['a fragment', 'belay://open?path=/w#x', 'part'],
    ['a broken encoding', 'belay://open?path=/w%', 'part'],
    ['an encoding that is no UTF-8', 'belay://open?path=/%c0%af', 'part'],
    ['line nought', openLink('/w', '&line=0'), 'part'],
    ['a line that is none', openLink('/w', '&line=1e3'), 'part'],
    ['a column without a line', openLink('/w', '&column=2'), 'part'],
    ['no path', 'belay://open', 'part'],
    ['an empty path', 'belay://open?path=', 'path'],
    ['a relative path', 'belay://open?path=w', 'path'],
    ['a home', 'belay://open?path=~/w', 'path'],
    ['a way up', 'belay://open?path=/w/../etc', 'path'],
    ['an encoded way up', 'belay://open?path=/w/%2e%2e/etc', 'path'],
    ['a share', 'belay://open?path=//host/share', 'path'],
    ['a NUL', 'belay://open?path=/w%00.ts', 'path'],
    ['a line feed', 'belay://open?path=/w%0a', 'path'],
    ['text that turns round', `belay://open?path=${encodeURIComponent('/w/\u202etxt.exe')}`, 'path'],
    ['a blank', 'belay://open?path=/a b', 'form'],
    ['a very long one', openLink(`/${'a'.repeat(9000)}`), 'long'],
    ['a very long path', openLink(`/${'a'.repeat(5000)}`), 'path'],
  ])('with %s is refused', (_, text, why) => expect(reason(text)).toBe(why))

  it.each([
    ['a share', '\\\\host\\share'],
    ['a device path', '\\\\?\\C:\\w'],
    ['a drive alone', 'C:w'],
    ['two slashes', 'C:\\\\w'],
    ['a way up', 'C:\\w\\..\\x'],
    ['a stream', 'C:\\w\\a.txt:stream'],
    ['a device', 'C:\\w\\NUL.txt'],
    ['an end that is dropped', 'C:\\w.'],
    ['a path of another system', '/w'],
  ])('on Windows with %s is refused', (_, path) => expect(reason(openLink(path), 'win32')).toBe('path'))
})

describe('laws', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .filter(text => !/[/\p{Cc}\p{Cf}\u2028\u2029]/u.test(text) && text !== '.' && text !== '..')
  it('a plain path comes back as it was', () =>
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9_999_999 }),
        (names, line) => {
          const path = `/${names.join('/')}`
          expect(read(openLink(path, `&line=${line}`))).toEqual({
            ok: true,
            link: { kind: 'open', path, line, column: null },
          })
        },
      ),
    ))

  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .array(
        fc.constantFrom(
          ...[
            'belay:',
            '//',
            'open',
            'session',
            '?',
            'path=',
            '&',
            'line=',
            'id=',
            '/',
            '..',
            '%2e',
            '%2f',
            '%5c',
            '%00',
            '\\',
          ],
          ...['prompt=', '#', '@', ':', 'ses_1', '~', ' ', '\u202e', '\0', '%', 'C:', 'a'],
        ),
        { maxLength: 14 },
      )
      .map(pieces => pieces.join('')),
    fc.string({ unit: 'grapheme', maxLength: 60 }).map(text => `belay://open?path=/${encodeURIComponent(text)}`),
  )
  it.each(['linux', 'win32'] as const)('on %s whatever is written says a plain path, a session, or nothing', platform =>
    fc.assert(
      fc.property(hostile, text => {
        const answer = readLink(text, platform)
        if (!answer.ok) return
        expect(isLink(text)).toBe(true)
        if (answer.link.kind === 'session') return expect(answer.link.sessionId).toMatch(/^ses_[\w-]+$/)
        const { path } = answer.link
        expect(path).toMatch(platform === 'win32' ? /^[a-z]:[\\/](?![\\/])/i : /^\/(?!\/)/)
        expect(path.split(platform === 'win32' ? /[\\/]/ : '/')).not.toContain('..')
        expect(path).not.toMatch(/\p{Cc}/u)
      }),
      { numRuns: 1000 },
    ),
  )
})
