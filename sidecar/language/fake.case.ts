/** Servers that behave as told (fake-server.case.mjs), and what they hold and heard. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ServerDefinition } from './definition.ts'
import type { LanguageRig } from './rig.case.ts'

export const fakeProgram = fileURLToPath(new URL('./fake-server.case.mjs', import.meta.url))

export const fake = (behaviour: object, definition: Partial<ServerDefinition> = {}): ServerDefinition => ({
  id: 'fake',
  name: 'Fake',
  program: { kind: 'command', command: [process.execPath, fakeProgram, JSON.stringify(behaviour)] },
  languages: { '.fake': 'fake' },
  executesProjectCode: false,
  rootMarkers: [],
  install: 'it is here',
  settleMs: 30,
  ...definition,
})

export const fakeLimits = { initializeMs: 5000, stallMs: 300, shutdownMs: 500, backoffMs: [20, 20] }

interface Told {
  texts: { uri: string; text: string; version: number }[]
  told: { method: string; params: Record<string, unknown> }[]
}

/** What the server of that file has, and what it was told. */
export async function heldBy(rig: LanguageRig, path = 'a.fake'): Promise<Told> {
  const question = {
    absolute: join(rig.folder, path),
    line: 1,
    column: 1,
    query: '',
    signal: new AbortController().signal,
  }
  const { text } = await rig.language.navigate({ ...question, operation: 'hover' })
  return JSON.parse(text ?? '') as Told
}
