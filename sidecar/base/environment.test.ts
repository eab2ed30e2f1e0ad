/** What of our environment reaches whom: terminals, commands and language servers nothing that steers a JavaScript process. */
import { expect, test } from 'vitest'
import { commandEnvironment } from '../tools/command.ts'
import { foreignEnvironment, keylessEnvironment, ownEnvironment } from './environment.ts'

const steering = {
  ELECTRON_RUN_AS_NODE: '1',
  ELECTRON_NO_ASAR: '1',
  ELECTRON_ENABLE_LOGGING: '1',
  ELECTRON_OVERRIDE_DIST_PATH: '/tmp/other',
  ELECTRON_NO_ATTACH_CONSOLE: '1',
  NODE_OPTIONS: '--require /tmp/evil.js',
}
const ours = { BELAY_HOME: '/x', NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'json' }
const theirs = { PATH: '/bin', HOME: '/home/ann', LANG: 'en', HTTPS_PROXY: 'http://127.0.0.1:3128' }
const env = { ...steering, ...ours, ...theirs }

test('a terminal, a command and a language server have the person’s environment, and nothing of Belay or Electron', () => {
  expect(foreignEnvironment(env)).toEqual(theirs)
  expect(commandEnvironment(env)).toMatchObject({ PATH: '/bin', HOME: '/home/ann' })
  expect(Object.keys(commandEnvironment(env)).filter(name => name in steering || name in ours)).toEqual([])
  expect(keylessEnvironment({ ...env, OPENAI_API_KEY: 'k', GH_TOKEN: 't' })).toEqual(theirs)
})

test('our own children keep our words, and run no other code for them', () => {
  expect(ownEnvironment(env)).toEqual({ ...ours, ...theirs })
})
