/** Every name leads back to its file, also after Monaco wrote it down and read it again. */
import fc from 'fast-check'
import { URI } from 'monaco-editor/base/common/uri.js'
import type { Uri } from 'monaco-editor/editor'
import { expect, test } from 'vitest'
import type { AnyPath, WirePath } from '#contract/path'
import { modelUri, pathOfUri } from './model-uri.ts'

const segment = fc
  .string({ unit: 'grapheme-composite', minLength: 1, maxLength: 12 })
  .map(text => text.replaceAll('/', '_'))
const paths: fc.Arbitrary<AnyPath> = fc.oneof(
  fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map(parts => ({ rootId: 'root_aB3-x_9' as WirePath['rootId'], path: parts.join('/') })),
  fc.array(segment, { minLength: 1, maxLength: 4 }).map(parts => ({
    uri: `file:///${parts.map(part => encodeURIComponent(part)).join('/')}`,
  })),
  fc.nat(999).map(number => ({ uri: `untitled:Untitled-${number}` })),
)

test('a name leads back to its file', () => {
  fc.assert(
    fc.property(paths, path => {
      const uri: Uri = modelUri(URI, path)
      expect(pathOfUri(uri)).toEqual(path)
      expect(pathOfUri(URI.parse(uri.toString()))).toEqual(path)
    }),
  )
})

test('what is no file has no path', () => {
  expect(pathOfUri(URI.parse('inmemory://model/3'))).toBeNull()
})
