/** A template filled in: groups, escapes, case. Without regex it stands for itself, whatever it holds. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fillIn, groupNames } from './replacement.ts'

const match = { text: 'getName', groups: { 1: 'get', 2: 'Name', what: 'Name' } }
const filled = (template: string) => fillIn(match, { template, regex: true, preserveCase: false })
const cased = (text: string, template: string) =>
  fillIn({ text, groups: {} }, { template, regex: false, preserveCase: true })

it('groups by number and name, the whole, a dollar, escapes, and what is no group stays', () => {
  expect(
    // biome-ignore lint/suspicious/noTemplateCurlyInString: templates of ours
    ['$1-$2', '${2}x', '$<what>!', '${what}', '[$&|$0]', '$$1', '$9', 'a$', '\\n\\t\\\\n', '\\d$x'].map(filled),
  ).toEqual(['get-Name', 'Namex', 'Name!', 'Name', '[getName|getName]', '$1', '', 'a$', '\n\t\\n', '\\d$x'])
})

it('changes the case of the next group only', () => {
  expect(['\\U$1$2', '\\l$2()', '\\L$2\\u$1', '\\U!$1'].map(filled)).toEqual(['GETName', 'name()', 'nameGet', '!GET'])
})

it('keeps the case of what was there', () => {
  expect(
    [
      ['FOO', 'barBaz'],
      ['foo', 'BAR'],
      ['foo', 'BarBaz'],
      ['Foo', 'barBaz'],
      ['fooBar', 'BazQux'],
      ['Foo-Bar', 'one-two'],
      ['FOO_BAR', 'one_two'],
      ['Foo-Bar', 'one'],
      ['42', 'Mixed'],
    ].map(([model = '', text = '']) => cased(model, text)),
  ).toEqual(['BARBAZ', 'bar', 'barBaz', 'BarBaz', 'bazQux', 'One-Two', 'ONE_TWO', 'One', 'Mixed'])
})

it('names of groups, each once', () => {
  expect(groupNames('(?<a>x)(?P<b_2>y)(?<a>z)(?<=q)(?<!r)(?:s)')).toEqual(['a', 'b_2'])
})

it('without regex a template is itself', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (text, template) => {
      expect(fillIn({ text, groups: {} }, { template, regex: false, preserveCase: false })).toBe(template)
    }),
  )
})
