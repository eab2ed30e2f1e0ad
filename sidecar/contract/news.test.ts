/** When something that waits is said: once, to nobody who is there, and not after it is over. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SessionId } from './id.ts'
import { type News, nothingTold, type Told, tell } from './news.ts'

const news = (key: string, more: Partial<News> = {}): News => ({
  ...{ key, kind: 'ask', sessionId: 'ses_1' as SessionId, folder: '/w', title: 'w', body: key, tell: true },
  ...more,
})
const away = () => false
const there = () => true

/** What is said and taken back on the way; `*` before the number that waits. */
function play(...steps: (readonly [readonly News[], (folder: string) => boolean])[]): string[] {
  let told: Told = nothingTold
  return steps.map(([all, isFocused]) => {
    const next = tell(told, all, isFocused)
    told = next.told
    return [...next.show.map(({ key }) => `+${key}`), ...next.close.map(key => `-${key}`), `*${next.count}`].join(' ')
  })
}

it('is said once, and taken back when it was answered anywhere', () => {
  const [a, b] = [news('a'), news('b')]
  expect(play([[a], away], [[a], away], [[a, b], away], [[b], away], [[], away])).toEqual([
    ...['+a *1', '*1', '+b *2', '-a *1', '-b *0'],
  ])
})

it('is not said to who is there, nor after they have left; it waits all the same', () =>
  expect(play([[news('a')], there], [[news('a')], away], [[], away])).toEqual(['*1', '*1', '*0']))

it('an end is over once somebody was there, an ask is not', () => {
  const all = [news('end', { kind: 'end' }), news('ask')]
  expect(play([all, away], [all, there], [all, away])).toEqual(['+end +ask *2', '-end -ask *1', '*1'])
})

it('counts and keeps quiet where the person does not want to hear of it', () =>
  expect(play([[news('a', { tell: false })], away])).toEqual(['*1']))

it('asks of the window of its own folder alone', () => {
  const all = [news('here', { folder: '/here' }), news('there', { folder: '/there' })]
  expect(play([all, folder => folder === '/here'])).toEqual(['+there *2'])
})

it('whatever happens, none is said twice and no notification stays of what is gone', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.subarray(['a', 'b', 'c', 'd']), fc.boolean(), fc.constantFrom('ask', 'end')), {
        maxLength: 20,
      }),
      steps => {
        let told: Told = nothingTold
        const shown = new Set<string>()
        for (const [keys, focused, kind] of steps) {
          const next = tell(
            told,
            keys.map(key => news(key, { kind: kind as News['kind'] })),
            () => focused,
          )
          for (const { key } of next.show) {
            expect(told.known.has(key)).toBe(false)
            shown.add(key)
          }
          for (const key of next.close) shown.delete(key)
          for (const key of shown) expect(keys).toContain(key)
          if (focused) expect(shown.size).toBe(0)
          told = next.told
        }
      },
    ),
  ))
