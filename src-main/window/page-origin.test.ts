/** Whose a URL is, however it is written; and that a log learns no more of it than where it leads. */
import { expect, test } from 'vitest'
import { isOurPage, isOurs, originOf } from './page-origin.ts'

test('our page is one page of one origin', () => {
  const pages = ['app://belay', 'app://belay/', 'app://belay/index.html', 'app://belay/index.html?a#b', 'APP://belay/']
  expect(pages.filter(each => !isOurPage(each))).toEqual([])
  const others = [
    'app://belay/assets/main.js',
    'app://belay/../index.html/x',
    'app://belay:80/',
    'app://belay@evil/',
    'app://evil/index.html',
    'app:belay',
    'app:///index.html',
    'http://belay/index.html',
    'javascript:app://belay/',
    ' ',
  ]
  expect(others.filter(isOurPage)).toEqual([])
  expect(isOurs('app://belay/assets/main.js')).toBe(true)
})

test('a log has neither names nor paths nor queries', () => {
  expect(originOf('https://me:secret@example.org/a?token=1#x')).toBe('https://…@example.org')
  expect(originOf('https://example.org:8443/a')).toBe('https://example.org:8443')
  expect(originOf('sk-12345678')).toBe('no address')
  expect(originOf('javascript:alert(1)')).toBe('javascript://')
})
