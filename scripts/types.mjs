/** Type-checks every project with the native compiler, one after the other, what did not change only once; prints all faults, fails on any. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const compiler = fileURLToPath(new URL('../node_modules/typescript-7/bin/tsc', import.meta.url))
const projects = process.argv.slice(2).length ? process.argv.slice(2) : ['node', 'web', 'e2e']
let failed = false
for (const project of projects) {
  const remembered = ['--incremental', '--tsBuildInfoFile', `.cache/types-${project}.tsbuildinfo`]
  const run = spawnSync(process.execPath, [compiler, '-p', `tsconfig.${project}.json`, ...remembered], {
    cwd: root,
    stdio: 'inherit',
    timeout: 120_000,
  })
  failed ||= run.status !== 0
}
process.exit(failed ? 1 : 0)
