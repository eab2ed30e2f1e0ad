/**
 * One TypeScript file as one JavaScript file that Node runs: for benchmarks and for the child processes of tests. Written
 * below .cache/, so that packages with native parts are still found; each caller gets a file of its own.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const native = Object.keys(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies)

/** Resolves to the path of the bundle. Only packages of `dependencies` (native code) stay outside: one file starts faster. */
export async function bundle(entry) {
  const name = basename(entry).replace(/\.m?ts$/, '')
  const outDir = join(root, '.cache', 'bundles', `${name}-${randomBytes(4).toString('hex')}`)
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: native },
    build: {
      ssr: entry,
      outDir,
      target: 'node20',
      minify: false,
      rolldownOptions: { output: { format: 'es', entryFileNames: `${name}.mjs` } },
    },
  })
  return join(outDir, `${name}.mjs`)
}
