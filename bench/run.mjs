/** `node bench/run.mjs fold [arguments]` bundles bench/fold.bench.ts and runs it here; without a name, says which there are. */
import { readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle } from '../scripts/bundle.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(here).flatMap(file => (file.endsWith('.bench.ts') ? file.slice(0, -'.bench.ts'.length) : []))
const [name] = process.argv.splice(2, 1)
if (!names.includes(name)) {
  console.error(`Which one? node bench/run.mjs ${names.join(' | ')}`)
  process.exit(2)
}
const file = await bundle(join(here, `${name}.bench.ts`))
process.on('exit', () => rmSync(dirname(file), { recursive: true, force: true }))
await import(pathToFileURL(file).href)
