/** `npm run check`: types (node, web, e2e), format and lint, rooms with their matrix, catalogues, unit tests. All run; any failure fails. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const bin = name => fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url))

const steps = [
  ['types', ['scripts/types.mjs']],
  ['format and lint', [bin('@biomejs/biome/bin/biome'), 'check', '.']],
  ['rooms', ['scripts/rooms/check.mjs']],
  ['catalogues', ['scripts/i18n-check.mjs']],
  ['unit tests', [bin('vitest/vitest.mjs'), 'run']],
]
const failed = []
for (const [name, argv] of steps) {
  const began = Date.now()
  const { status } = spawnSync(process.execPath, argv, { cwd: root, stdio: 'inherit', timeout: 1_800_000 })
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  if (status !== 0) failed.push(name)
}
if (failed.length > 0) console.error(`check failed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
