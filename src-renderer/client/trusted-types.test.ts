/** No markup and no foreign script through the default policy. */
import { beforeEach, expect, it } from 'vitest'
import { createHTML, createScriptURL } from './trusted-types.ts'

beforeEach(() => {
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } }
  happyDOM.setURL('http://127.0.0.1:4711/')
})

it('lets words and style sheets through, and no element', () => {
  expect(createHTML('[data-x]{scrollbar-width:none} a > b {}')).toContain('a > b')
  for (const hostile of ['<img src=x onerror=alert(1)>', 'a<b', '</style><script>1</script>'])
    expect(() => createHTML(hostile)).toThrow(TypeError)
})

it('lets the build’s workers run, and nothing else', () => {
  for (const own of ['/assets/editor.worker-Ab12.js', 'http://127.0.0.1:4711/assets/a.js', '/assets/a.js?type=module'])
    expect(createScriptURL(own)).toBe(own)
  for (const foreign of [
    'https://evil.example/assets/a.js',
    'http://127.0.0.1:4712/assets/a.js',
    '//evil.example/assets/a.js',
    '/a.js',
    '/assets/../a.js',
    'data:text/javascript,1',
    'blob:http://127.0.0.1:4711/1',
    'javascript:1',
  ])
    expect(() => createScriptURL(foreign)).toThrow()
})
