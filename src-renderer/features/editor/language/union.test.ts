/** What either can do both together can; their characters are joined in one order, so that who comes first makes no difference. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LanguageFeatures } from '#contract/language-editor'
import { unionOf } from './union.ts'

const characters = fc.array(fc.constantFrom('.', '(', ',', '<'), { maxLength: 3 })
const features = fc.record({
  completion: fc.option(fc.record({ triggerCharacters: characters })),
  signature: fc.option(fc.record({ triggerCharacters: characters, retriggerCharacters: characters })),
  formatOnType: fc.option(fc.record({ characters })),
  hover: fc.boolean(),
  rename: fc.boolean(),
}) as unknown as fc.Arbitrary<LanguageFeatures>

test('a union holds both and knows no order', () => {
  fc.assert(
    fc.property(features, features, (a, b) => {
      const both = unionOf(a, b)
      expect([both.hover, both.rename]).toEqual([a.hover || b.hover, a.rename || b.rename])
      expect(both.completion === null).toBe(a.completion === null && b.completion === null)
      const all = [a, b].flatMap(each => each.completion?.triggerCharacters ?? [])
      expect(new Set(both.completion?.triggerCharacters ?? [])).toEqual(new Set(all))
      if (a.completion && b.completion) expect(both).toEqual({ ...unionOf(b, a) })
    }),
  )
})
