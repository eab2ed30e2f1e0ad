/** Unit tests stand beside what they test; the window's run in happy-dom, the rest in Node. */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The window's half of the library is exported to browsers only, and happy-dom runs in Node. */
const browserJsonRpc = fileURLToPath(new URL('node_modules/vscode-jsonrpc/lib/browser/main.js', import.meta.url))

/** CI alone runs a failed one once more, and names it: its machine is slowed down by others. */
const shared = {
  ...{ testTimeout: 20_000, hookTimeout: 20_000, retry: process.env.CI ? 1 : 0 },
  // A state that comes is waited for as long as a busy machine may take.
  expect: { poll: { timeout: 10_000 } },
}

export default defineConfig({
  test: {
    // Most files wait for processes and disks: Vitest's own number leaves one processor without any, which is half of two.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          include: ['{sidecar,src-main,src-preload,scripts,packaging,e2e/talk,e2e/desktop/double}/**/*.test.ts'],
        },
      },
      {
        oxc: { jsx: { runtime: 'automatic' } },
        resolve: { alias: { 'vscode-jsonrpc/browser': browserJsonRpc } },
        test: { ...shared, name: 'web', environment: 'happy-dom', include: ['src-renderer/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
