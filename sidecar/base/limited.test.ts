import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { limited } from './limited.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

it('ends in time though nothing else holds it and everything is collected meanwhile', async () => {
  let ended = 0
  const listen = (count: number) => {
    const outer = new AbortController()
    for (let at = 0; at < count; at++)
      limited(outer.signal, 300).addEventListener('abort', () => {
        ended += 1
      })
  }
  listen(50)
  for (let at = 0; at < 10; at++) {
    collect()
    await after(5)
  }
  await expect.poll(() => ended).toBe(50)
})

it('says which of the two it was, and follows one that is over already', async () => {
  const outer = new AbortController()
  const [first, second] = [limited(outer.signal, 10), limited(outer.signal, 60_000)]
  await expect.poll(() => first.aborted).toBe(true)
  expect((first.reason as Error).name).toBe('TimeoutError')
  expect(second.aborted).toBe(false)
  outer.abort('stop')
  expect([second.aborted, second.reason]).toEqual([true, 'stop'])
  expect((first.reason as Error).name).toBe('TimeoutError')
  expect(limited(outer.signal, 1000).reason).toBe('stop')
})

it('is how every limit beside another signal is made in Node', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const sources = ['sidecar', 'src-main'].flatMap(room =>
    readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts') && !name.includes('.test.') && !name.includes('.case.'))
      .map(name => join(room, name)),
  )
  expect(sources.length).toBeGreaterThan(500)
  const wrong = sources.filter(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/AbortSignal\.any\(\[([^\]]*)\]/g)].some(([, all = '']) =>
      all
        .split(',')
        .some(
          each =>
            /timeout/i.test(each) ||
            new RegExp(`\\b${each.trim().replace(/\W/g, '.')} = AbortSignal.timeout`).test(text),
        ),
    )
  })
  expect(wrong).toEqual([])
})
