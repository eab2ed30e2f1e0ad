/** Whatever is opened as text turns into the same bytes again: every line end, mark and encoding, and bytes that are no text. */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Encoding, encodings as everyEncoding, otherEncodings } from '#contract/document'
import { decode, decodeAs, encode, lineEndOf } from './codec.ts'
import { guessEncodings, loadEncodings } from './other-encodings.ts'

const encodings: Encoding[] = ['utf8', 'utf8bom', 'utf16le', 'utf16be', 'latin1']
const lines = fc
  .array(fc.tuple(fc.string({ unit: fc.constantFrom('a', 'é', ' ', 'ÿ') }), fc.constantFrom('\n', '\r\n', '\r', '')))
  .map(parts => parts.map(part => part.join('')).join(''))
const wide = fc.string({ unit: 'grapheme' })

beforeAll(loadEncodings)

describe('codec', () => {
  it('encodes and decodes to the same text, and to the same bytes', () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(...encodings), (text, encoding) => {
        const bytes = encode(text, encoding)
        expect(decodeAs(bytes, encoding)).toBe(text)
        expect(Buffer.from(encode(decodeAs(bytes, encoding) ?? '?', encoding))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('recognises every marked encoding and UTF-8 by itself', () => {
    fc.assert(
      fc.property(wide, fc.constantFrom<Encoding>('utf8bom', 'utf16le', 'utf16be'), (text, encoding) => {
        expect(decode(encode(text, encoding))).toEqual({ kind: 'text', text, encoding, lineEnd: lineEndOf(text) })
      }),
    )
  })

  it('keeps any bytes at all: what it calls text encodes back, byte for byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        const found = decode(bytes)
        if (found.kind === 'binary') return
        const encoding = found.kind === 'text' ? found.encoding : 'latin1'
        expect(Buffer.from(encode(found.text, encoding))).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps lone surrogates of UTF-16 and refuses them in UTF-8', () => {
    const text = 'a\ud800b'
    expect(decodeAs(encode(text, 'utf16be'), 'utf16be')).toBe(text)
    expect(() => encode(text, 'utf8')).toThrow(expect.objectContaining({ code: 'undecodable' }))
  })

  it('takes any bytes in any encoding only where they come back the same', () => {
    const bytesOf = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(bytesOf, fc.constantFrom(...everyEncoding), (bytes, encoding) => {
        const text = decodeAs(bytes, encoding)
        if (text !== null) expect(Buffer.from(encode(text, encoding))).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 3000 },
    )
  })

  it('writes text in any encoding so that it reads back the same, or refuses with the character', () => {
    fc.assert(
      fc.property(wide, fc.constantFrom(...otherEncodings), (text, encoding) => {
        let bytes: Uint8Array
        try {
          bytes = encode(text, encoding)
        } catch (fault) {
          expect(fault).toMatchObject({ code: 'undecodable' })
          return
        }
        expect(decodeAs(bytes, encoding)).toBe(text)
      }),
      { numRuns: 1000 },
    )
    expect(() => encode('5 €', 'koi8r')).toThrow(/KOI8-R has no “€”/)
  })

  it('guesses what bytes may be, and takes none of it by itself', () => {
    const words: [Encoding, string][] = [
      ['gb18030', '// 这是一个用来测试编码的注释，里面有一些常用的汉字。\n'],
      ['shiftjis', '// これはテストのためのコメントです。日本語の文字。\r\n'],
      ['big5', '// 這是一個用來測試編碼的註解，裡面有一些常用的漢字。'],
      ['euckr', '// 이것은 인코딩을 시험하기 위한 주석입니다. 한국어'],
      ['eucjp', '// これはテストのためのコメントです。日本語の文字。'],
      ['windows1251', '// Это комментарий для проверки кодировки, обычный русский текст'],
      ['koi8r', '// Это комментарий для проверки кодировки, обычный русский текст'],
      ['windows1252', '// Größe für die Prüfung – café naïve'],
    ]
    for (const [encoding, text] of words) {
      const bytes = Buffer.from(encode(text, encoding))
      expect([encoding, decode(bytes).kind, guessEncodings(bytes)[0]]).toEqual([encoding, 'undecodable', encoding])
      expect(decode(bytes, encoding)).toMatchObject({ kind: 'text', text, encoding })
    }
  })

  it('refuses rather than replaces what Latin-1 cannot say', () => {
    expect(() => encode('5 €', 'latin1')).toThrow(/€/)
  })

  it('tells text, undecodable text and binary apart', () => {
    const kinds = {
      empty: decode(new Uint8Array()).kind,
      latin: decode(Buffer.from('caf\xe9 au lait\r\n', 'latin1')).kind,
      zero: decode(Buffer.from('ab\0cd')).kind,
      png: decode(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13])).kind,
      gzip: decode(Buffer.from([0x1f, 0x8b, 8, 1, 2, 3, 4, 5, 2, 3, 0xff, 0xfe])).kind,
      lateZero: decode(Buffer.concat([Buffer.alloc(9000, 'a'), Buffer.from([0])])).kind,
      oddUtf16: decode(Buffer.from([0xff, 0xfe, 0x41])).kind,
    }
    expect(kinds).toEqual({
      empty: 'text',
      latin: 'undecodable',
      zero: 'binary',
      png: 'binary',
      gzip: 'binary',
      lateZero: 'text',
      oddUtf16: 'undecodable',
    })
  })

  it('names line ends', () => {
    const found = ['', 'a', 'a\n', 'a\r\nb\r\n', 'a\rb', 'a\r\nb\n', 'a\r\r\n', '\n\r'].map(lineEndOf)
    expect(found).toEqual(['lf', 'lf', 'lf', 'crlf', 'cr', 'mixed', 'mixed', 'mixed'])
  })
})
