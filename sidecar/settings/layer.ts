/** One settings or keymap file as what it says: every sound line counts, every other one is a problem in words. */
import { z } from 'zod'
import { KeyBinding, type SettingProblem } from '#contract/settings'
import { type SettingDef, type SettingKey, settingDefs } from '#contract/settings-schema'
import { readObject, readTree } from '../base/json-lines.ts'

export interface Layer {
  readonly values: ReadonlyMap<SettingKey, unknown>
  readonly problems: readonly SettingProblem[]
}

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingDefs, key)

/** Null: fine. Otherwise why the value cannot be used, and what could. */
export function refusal(key: SettingKey, value: unknown): string | null {
  const def: SettingDef = settingDefs[key]
  const parsed = def.schema.safeParse(value)
  if (parsed.success) return null
  if (def.choices) return `It must be one of ${def.choices.map(choice => JSON.stringify(choice)).join(', ')}.`
  if (def.min !== undefined) return `It must be a number from ${def.min} to ${def.max}.`
  return `${z.prettifyError(parsed.error).replace(/^✖ /, '').split('\n')[0]}.`
}

export function readSettings(text: string, scope: 'user' | 'workspace', file: string): Layer {
  const { root, faults } = readTree(text)
  const problems: SettingProblem[] = faults.map(message => ({ scope, file, key: null, message }))
  const report = (key: string, line: number, message: string) =>
    problems.push({ scope, file, key, message: `Line ${line}: ${message}` })
  if (root && root.type !== 'object')
    problems.push({ scope, file, key: null, message: 'The file must hold one object: { "editor.fontSize": 14 }.' })
  const values = new Map<SettingKey, unknown>()
  for (const [key, { value, line }] of readObject(root, text)) {
    if (key === '$schema') continue
    if (!isSettingKey(key)) report(key, line, 'No setting has this name. The line is kept and does nothing.')
    else if (scope === 'workspace' && !settingDefs[key].workspace)
      report(key, line, 'A workspace may not set this. The line is kept and does nothing; set it for yourself instead.')
    else {
      const why = refusal(key, value)
      if (why) report(key, line, why)
      // What it leaves out is filled in.
      else values.set(key, settingDefs[key].schema.parse(value))
    }
  }
  return { values, problems }
}

export interface Keymap {
  readonly keymap: KeyBinding[]
  readonly problems: SettingProblem[]
}

/** Whether command and context exist is the window's knowledge; here only the shape counts. */
export function readKeymap(text: string, file: string): Keymap {
  const { root, faults } = readTree(text)
  const problems: SettingProblem[] = faults.map(message => ({ scope: 'user', file, key: null, message }))
  if (root && root.type !== 'array')
    problems.push({
      scope: 'user',
      file,
      key: null,
      message: 'The file must hold a list: [{ "key": "$mod+K", "command": "app.settings" }].',
    })
  const keymap: KeyBinding[] = []
  const items = root?.type === 'array' ? (root.children ?? []) : []
  for (const item of items) {
    const line = text.slice(0, item.offset).split('\n').length
    const value = Object.fromEntries([...readObject(item, text)].map(([name, entry]) => [name, entry.value]))
    const parsed = KeyBinding.safeParse(value)
    if (parsed.success) keymap.push(parsed.data)
    else
      problems.push({
        scope: 'user',
        file,
        key: null,
        message: `Line ${line}: a key needs "key" (a text) and "command" (a command's id, or null to take the key away).`,
      })
  }
  return { keymap, problems }
}
