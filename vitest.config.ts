/** Unit tests stand beside what they test; the window's run in happy-dom, the rest in Node. */
import { defineConfig } from 'vitest/config'

const shared = { testTimeout: 20_000, hookTimeout: 20_000 }

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'node',
          environment: 'node',
          include: ['{sidecar,src-main,src-preload,scripts}/**/*.test.ts'],
        },
      },
      {
        esbuild: { jsx: 'automatic' },
        test: { ...shared, name: 'web', environment: 'happy-dom', include: ['src-renderer/**/*.test.{ts,tsx}'] },
      },
    ],
  },
})
