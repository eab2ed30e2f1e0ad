import { expect, test } from 'vitest'
import { createSystemProxy } from './system-proxy.ts'

test('asked once for each origin, whatever comes of it; what is not answered in time is a straight way', async () => {
  const asked: string[] = []
  const resolveProxy = async (url: string) => {
    asked.push(url)
    if (url.includes('broken')) throw new Error('no')
    if (url.includes('slow')) return new Promise<string>(() => {})
    return 'PROXY p:1; DIRECT'
  }
  const logged: string[] = []
  const proxyFor = createSystemProxy({ resolveProxy }, (_level, message) => void logged.push(message), 50)
  const both = await Promise.all([proxyFor('https://a.test/x'), proxyFor('https://a.test/y')])
  expect([...both, await proxyFor('https://broken.test'), await proxyFor('https://slow.test/')]).toEqual([
    ...['PROXY p:1; DIRECT', 'PROXY p:1; DIRECT', 'DIRECT', 'DIRECT'],
  ])
  expect(asked).toEqual(['https://a.test/x', 'https://broken.test', 'https://slow.test/'])
  expect(logged.length).toBe(2)
})
