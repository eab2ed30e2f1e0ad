import { expect, test } from 'vitest'
import { createOwnEditors, type OwnEditors } from './own-editors.ts'

const asked: { clientId: string; wantedId: string }[] = []
const make = (patienceMs?: number): OwnEditors => {
  asked.length = 0
  return createOwnEditors((clientId, { wantedId }) => asked.push({ clientId, wantedId }), patienceMs)
}
const isDone = (work: Promise<void>) =>
  Promise.race([work.then(() => true), new Promise(end => setImmediate(end, false))])

test('nobody is waited for where nobody has an editor; each that has one is waited for', async () => {
  const editors = make()
  expect(await isDone(editors.settle('/a'))).toBe(true)
  editors.add('one')
  editors.add('two')
  const work = editors.settle('/a')
  expect(asked.map(({ clientId }) => clientId)).toEqual(['one', 'two'])
  const [first, second] = asked.map(({ wantedId }) => wantedId) as [string, string]
  // Nobody answers for another.
  editors.settled(first, 'two')
  editors.settled(second, 'two')
  expect(await isDone(work)).toBe(false)
  editors.settled(first, 'one')
  expect(await isDone(work)).toBe(true)
})

test('one that goes or does not answer holds nobody up', async () => {
  const editors = make(20)
  editors.add('one')
  editors.add('two')
  const work = editors.settle('/a')
  editors.remove('one')
  await work
  await expect(editors.settle('/b')).resolves.toBeUndefined()
  expect(asked.map(({ clientId }) => clientId)).toEqual(['one', 'two', 'two'])
})
