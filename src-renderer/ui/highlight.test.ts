import { expect, test } from 'vitest'
import { grammarOf, loadGrammar, tokenize } from './highlight.ts'

test('code is coloured by the theme once its grammar is there, and is the same text', async () => {
  const code = 'const name: string = "a" // why\n  return 1'
  expect([grammarOf('TS'), grammarOf('constructor'), tokenize(code, 'typescript')]).toEqual(['typescript', null, null])
  await loadGrammar('typescript')
  const lines = tokenize(code, 'typescript') ?? []
  expect(lines.map(line => line.map(({ text }) => text).join('')).join('\n')).toBe(code)
  const colourOf = (word: string) => lines.flat().find(({ text }) => text.includes(word))?.color
  const colours = ['const', '"a"', '// why'].map(colourOf)
  for (const colour of colours) expect(colour).toMatch(/^var\(--shiki-token-/)
  expect(new Set(colours).size).toBe(3)
})
