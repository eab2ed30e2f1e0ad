/** Builds the four processes: main, sidecar, pty host and the `belay` command; the preload; the window. */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'
import { feedKey, feedUrl, windowsPublisher } from './packaging/publisher.ts'
import { bootColours } from './scripts/boot-colours.ts'
import { webManifest, windowIcon } from './scripts/bundled-icons.ts'

const at = (path: string) => resolve(import.meta.dirname, path)

/** What the window's first lines will ask for is fetched with the page: its code, its styles and the font of its words. */
function preloadStart(): Plugin {
  const link = (rel: string, file: string, attrs: Record<string, string | boolean> = {}) => ({
    tag: 'link',
    attrs: { rel, href: `./${file}`, ...attrs },
    injectTo: 'head' as const,
  })
  return {
    name: 'belay-preload-start',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {}, chunk }) {
        const main = bundle[chunk?.dynamicImports[0] ?? '']
        if (main?.type !== 'chunk') throw new Error('The window has lost its main chunk')
        const code = [main.fileName, ...main.imports.filter(file => file !== chunk?.fileName)]
        const font = Object.keys(bundle).filter(file => /inter-latin-wght-normal.*woff2$/.test(file))
        return [
          ...code.map(file => link('modulepreload', file, { crossorigin: true })),
          ...[...(main.viteMetadata?.importedCss ?? [])].map(file =>
            link('preload', file, { as: 'style', crossorigin: true }),
          ),
          ...font.map(file => link('preload', file, { as: 'font', type: 'font/woff2', crossorigin: true })),
        ]
      },
    },
  }
}

/** The grammar of the shell stands beside the code that reads it: `permission/shell/grammar.ts` finds it there. */
function shellGrammar(): Plugin {
  const files = [
    'node_modules/web-tree-sitter/web-tree-sitter.wasm',
    'node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm',
  ]
  return {
    name: 'belay-shell-grammar',
    generateBundle() {
      for (const file of files)
        this.emitFile({ type: 'asset', fileName: `grammar/${basename(file)}`, source: readFileSync(at(file)) })
    },
  }
}

/** What of others became part of the build is listed beside it: `packaging/licences.ts` reads that. Not packed itself. */
const license = { fileName: '.vite/license.json' }

/** Where the packaged app looks for newer ones, and whose signature it believes. Not given, there is no updater. */
function feed() {
  if (!feedUrl !== !feedKey) throw new Error('BELAY_FEED_URL and BELAY_FEED_KEY are given together, or neither is')
  const source = feedUrl ? { url: feedUrl, publicKey: feedKey, publisher: windowsPublisher } : null
  return { BELAY_FEED: JSON.stringify(source) }
}

export default defineConfig({
  main: {
    define: feed(),
    plugins: [shellGrammar(), windowIcon(import.meta.dirname)],
    build: {
      outDir: 'out/main',
      license,
      // Only what is in `dependencies` (native code) stays outside: one file starts faster than a hundred.
      externalizeDeps: true,
      target: 'node20',
      // Comments and blanks cost time at every start; names stay, for the stacks in a log.
      minify: 'oxc',
      rolldownOptions: {
        input: {
          index: at('src-main/index.ts'),
          sidecar: at('sidecar/entry/sidecar.ts'),
          'pty-host': at('sidecar/entry/pty-host.ts'),
          belay: at('sidecar/entry/belay.ts'),
        },
        external: ['electron', /^node:/],
        output: {
          format: 'es',
          minify: { compress: true, mangle: false, codegen: true },
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
        },
      },
    },
  },
  preload: {
    build: {
      outDir: 'out/preload',
      license,
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
    plugins: [react(), preloadStart(), bootColours(import.meta.dirname), webManifest(import.meta.dirname)],
    worker: { format: 'es' },
    resolve: { alias: { '#resources': at('resources') } },
    build: {
      outDir: at('out/renderer'),
      license,
      emptyOutDir: true,
      minify: 'oxc',
      rolldownOptions: { input: { index: at('src-renderer/index.html') } },
    },
  },
})
