/** The preload: one short file, of Electron three names, to the page one word. What it gives is shown on the built app in e2e/desktop. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../src-preload')
const text = readFileSync(join(folder, 'index.ts'), 'utf8')

test('under sixty lines, nothing of Node, nothing decided', () => {
  expect(readdirSync(folder)).toEqual(['index.ts'])
  expect(text.split('\n').length).toBeLessThan(60)
  expect([...text.matchAll(/from '(.+)'/g)].map(([, module]) => module)).toEqual(['electron'])
  expect(/import \{ (.+) \} from 'electron'/.exec(text)?.[1]).toBe('contextBridge, ipcRenderer, webUtils')
  expect(text).not.toMatch(/\b(require|process|Buffer|eval|Function|if|for|while|switch)\b\s*[(.]/)
  expect([...text.matchAll(/exposeInMainWorld\('(\w+)'/g)].map(([, name]) => name)).toEqual(['belay'])
})
