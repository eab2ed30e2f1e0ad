/** Runs dependency-cruiser over a tree laid out like ours and answers what it found. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
const rules = join(root, 'scripts/rooms/dependency-cruiser.cjs')

/** `folders` that do not exist are left out. Throws when the tool itself fails. */
export function cruise(cwd, folders) {
  const run = spawnSync(
    process.execPath,
    [cruiser, ...folders.filter(folder => existsSync(join(cwd, folder))), '--config', rules, '--output-type', 'json'],
    { cwd, encoding: 'utf8', maxBuffer: 1e9, timeout: 240_000 },
  )
  if (!run.stdout) throw new Error(`dependency-cruiser failed: ${run.stderr || run.error}`)
  const { summary, modules } = JSON.parse(run.stdout)
  return { violations: summary.violations, modules: modules.length }
}
