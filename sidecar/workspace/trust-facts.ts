/** What trusting this folder would set in motion, found by looking at names and small files only: nothing of it is run or obeyed. */
import { constants } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type SettingKey, settingDefs } from '#contract/settings-schema'
import type { Root, TrustFacts } from '#contract/workspace'
import { readInstructions } from './instructions.ts'

const MAX_BYTES = 1024 * 1024
const MAX_NAMES = 50

/** Things that other programs start by themselves; Belay starts none of them, trusted or not. */
const notRun = [
  ...['.mcp.json', '.vscode/mcp.json', '.cursor/mcp.json', '.belay/mcp.json', '.belay/hooks.json', '.belay/hooks'],
  ...['.claude/settings.json', '.vscode/tasks.json', '.vscode/settings.json', '.devcontainer', '.envrc', '.husky'],
]

/** Never rejects: what cannot be read is not there. */
export async function trustFactsOf(roots: readonly Root[]): Promise<TrustFacts> {
  const each = await Promise.all(roots.map(factsOf))
  return {
    git: each.some(({ git }) => git),
    advice: (await readInstructions(roots)).map(({ path }) => path),
    agents: each.flatMap(({ agents }) => agents).slice(0, MAX_NAMES),
    rules: each.reduce((sum, { rules }) => sum + rules, 0),
    settings: each.flatMap(({ settings }) => settings).slice(0, MAX_NAMES),
    notRun: each.flatMap(({ notRun }) => notRun).slice(0, MAX_NAMES),
  }
}

async function factsOf({ absolute }: Root) {
  const at = (path: string) => join(absolute, ...path.split('/'))
  const there = await Promise.all(notRun.map(async path => ((await isThere(at(path))) ? path : null)))
  const agents = await readdir(at('.belay/agents')).catch(() => [])
  const rules = (await jsonOf(at('.belay/rules.json'))) as { rules?: unknown } | null
  const settings = await jsonOf(at('.belay/settings.json'))
  return {
    git: await isThere(at('.git')),
    agents: agents
      .filter(name => name.endsWith('.md') && !name.startsWith('.'))
      .map(name => name.slice(0, -'.md'.length)),
    rules: Array.isArray(rules?.rules) ? rules.rules.length : 0,
    settings: Object.keys(settings ?? {}).filter(countsHere),
    notRun: there.filter(path => path !== null),
  }
}

/** A folder may not set what could widen trust or move traffic: that does nothing, trusted or not. */
const countsHere = (key: string): boolean => Object.hasOwn(settingDefs, key) && settingDefs[key as SettingKey].workspace

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  )

/** An object of a regular, small file; links are not followed. */
async function jsonOf(file: string): Promise<object | null> {
  try {
    const facts = await lstat(file)
    if (!facts.isFile() || facts.size > MAX_BYTES) return null
    const { parse } = await import('jsonc-parser')
    const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
    try {
      const value: unknown = parse(await handle.readFile('utf8'))
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
