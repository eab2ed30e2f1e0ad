/** What a read costs beside itself: a file that no server covers starts no shell and loads no server. */
import { expect, test } from 'vitest'
import { createLanguage } from './language.ts'

test('only what a server covers is read along; for the rest nobody’s shell is asked', async () => {
  const asked: string[] = []
  const told = new Promise<void>(resolve => {
    const language = createLanguage({
      ...{ epoch: 'e', log: () => {}, enabled: () => true, servers: () => ({}), budgetMs: () => 1000 },
      workspace: () => ({ info: { trusted: true } }) as never,
      async environment() {
        asked.push('environment')
        resolve()
        throw new Error('no shell here')
      },
    })
    for (const name of ['notes.txt', 'README.md', 'app.ts']) language.warm('wsp_a' as never, `/a/folder/${name}`)
  })
  await told
  expect(asked).toEqual(['environment'])
})
