import { expect, test } from 'vitest'
import { createPersonEnvironment } from './person-environment.ts'

test('of a desktop: what holds it sees the login shell’s answer, and the next one after it was asked anew', async () => {
  const answers = [{ PATH: '/login' }, { PATH: '/mended', MORE: '1' }]
  const given = { PATH: '/poor', DISPLAY: ':0' }
  const environment = createPersonEnvironment({ given, poor: true, ask: async () => answers.shift() ?? {} })
  const held = environment.now
  await Promise.all([environment.settled(), environment.login()])
  expect(held).toEqual({ PATH: '/login', DISPLAY: ':0' })
  environment.forget()
  await environment.settled()
  expect([held, given]).toEqual([
    { PATH: '/mended', MORE: '1', DISPLAY: ':0' },
    { PATH: '/poor', DISPLAY: ':0' },
  ])
})

test('of a terminal: it is as it is, and nobody waits for the shell', async () => {
  const given = { PATH: '/mine' }
  const environment = createPersonEnvironment({ given, poor: false, ask: () => new Promise(() => {}) })
  await environment.settled()
  expect(environment.now).toBe(given)
})

test('a shell is asked only for what a terminal’s own environment lacks; a desktop’s always', async () => {
  let asked = 0
  const ask = async () => {
    asked++
    return { KEY: 'of the shell', MORE: '1' }
  }
  const given = { KEY: 'mine', EMPTY: '' }
  const { holding } = createPersonEnvironment({ given, poor: false, ask })
  expect(await holding(['KEY'])).toBe(given)
  expect(asked).toBe(0)
  for (const names of [['KEY', 'MORE'], ['EMPTY'], []]) expect(await holding(names)).toHaveProperty('MORE')
  expect(asked).toBe(1)
  const desktop = createPersonEnvironment({ given, poor: true, ask })
  expect(await desktop.holding(['KEY'])).toHaveProperty('KEY', 'of the shell')
})

test('a supervisor that is gone is asked again by the next', async () => {
  let calls = 0
  const ask = async () => {
    if (++calls === 1) throw new Error('gone')
    return { PATH: '/login' }
  }
  const environment = createPersonEnvironment({ given: {}, poor: true, ask })
  await environment.settled()
  expect(environment.now).toEqual({})
  expect(await environment.login()).toEqual({ PATH: '/login' })
})
