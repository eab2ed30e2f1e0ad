/** The double as JavaScript: built when its sources have changed, below .cache/, and shared by all tests of a run. */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'

const here = import.meta.dirname
const root = join(here, '../../..')
const cache = join(root, '.cache', 'electron-double')

/** Resolves to the folder with `run.mjs` in it. */
export async function builtDouble(): Promise<string> {
  const folder = join(cache, hashOfSources())
  if (existsSync(folder)) return folder
  const fresh = `${folder}-${randomBytes(4).toString('hex')}`
  await bundle(fresh, 'es', {
    run: 'process/run.ts',
    electron: 'modules/index.ts',
    'parent-port': 'process/parent-port.ts',
  })
  // Text for the page's two worlds.
  for (const world of ['main-world', 'isolated-world', 'controls-overlay'])
    await bundle(fresh, 'iife', { [world]: `world/${world}.ts` })
  await bundle(fresh, 'cjs', { 'main-hook': '../electron/main-hook.ts' })
  try {
    renameSync(fresh, folder)
  } catch (fault) {
    // Another test of this run was first.
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw fault
  }
  return folder
}

const extensions = { es: 'mjs', iife: 'js', cjs: 'cjs' }

async function bundle(outDir: string, format: keyof typeof extensions, entries: Record<string, string>): Promise<void> {
  const extension = extensions[format]
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        external: ['electron'],
        input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(here, file)])),
        // All in one folder: the parts find each other there.
        output: { format, entryFileNames: `[name].${extension}`, chunkFileNames: `[name]-[hash].${extension}` },
      },
    },
  })
}

function hashOfSources(): string {
  const hash = createHash('sha256')
  const files = readdirSync(join(here, '..'), { recursive: true, encoding: 'utf8' }).filter(file =>
    /(?<!\.test|\.spec)\.ts$/.test(file),
  )
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(here, '..', file)))
  return hash.digest('hex').slice(0, 16)
}
