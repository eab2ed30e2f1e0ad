/** For tests that need our own code in a real process of its own: one module, bundled to plain JavaScript in a temp folder. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

/**
 * `source` is TypeScript with imports relative to the repository. Returns the path of the `.mjs` in `into` (a new temp
 * folder). `external`: packages that look for files of their own beside them; then `into` must be below the repository.
 */
export async function bundled(name: string, source: string, into?: string, external: string[] = []): Promise<string> {
  const folder = into ?? (await mkdtemp(join(tmpdir(), 'belay-child-')))
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, '../..'),
    ssr: { noExternal: true, external },
    plugins: [
      {
        name: 'source',
        resolveId: id => (id === 'virtual:child' ? join(import.meta.dirname, '../../virtual-child.ts') : null),
        load: id => (id.endsWith('virtual-child.ts') ? source : null),
      },
    ],
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: { [name]: 'virtual:child' },
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      },
    },
  })
  return join(folder, `${name}.mjs`)
}
