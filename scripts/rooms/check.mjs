/** Checks the rooms: the real tree against the table, with an asserted module count, then the table against itself (matrix). */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { cruise, root } from './cruise.mjs'

/** Beside an unfit TypeScript dependency-cruiser reports "no violations" over zero modules; a floor catches that. */
const LEAST_MODULES = 60

const { violations, modules } = cruise(root, ['sidecar', 'src-main', 'src-preload', 'src-renderer'])
for (const { from, to, rule } of violations) console.error(`rooms: ${from} -> ${to}: ${rule.name}`)
if (modules < LEAST_MODULES) {
  console.error(
    `rooms: only ${modules} modules were read, fewer than ${LEAST_MODULES}: the check saw nothing, so it says nothing`,
  )
  process.exit(1)
}
if (violations.length > 0) process.exit(1)
console.log(`rooms: ${modules} modules, no violation`)

const matrix = spawnSync(process.execPath, [fileURLToPath(new URL('matrix.mjs', import.meta.url))], {
  stdio: 'inherit',
  timeout: 240_000,
})
process.exit(matrix.status ?? 1)
