/** Builds the four processes: main, sidecar, pty host and the `belay` command; the preload; the window. */
import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

const at = (path: string) => resolve(import.meta.dirname, path)

export default defineConfig({
  main: {
    build: {
      outDir: 'out/main',
      // Only what is in `dependencies` (native code) stays outside: one file starts faster than a hundred.
      externalizeDeps: true,
      target: 'node20',
      rolldownOptions: {
        input: {
          index: at('src-main/index.ts'),
          sidecar: at('sidecar/entry/sidecar.ts'),
          'pty-host': at('sidecar/entry/pty-host.ts'),
          belay: at('sidecar/entry/belay.ts'),
        },
        external: ['electron', /^node:/],
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      // A sandboxed preload must be self-contained.
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: at('src-preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    base: './',
    plugins: [react()],
    worker: { format: 'es' },
    resolve: { alias: { '#resources': at('resources') } },
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      minify: 'oxc',
      rolldownOptions: { input: { index: at('src-renderer/index.html') } },
    },
  },
})
