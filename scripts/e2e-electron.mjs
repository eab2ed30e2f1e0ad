/** `npm run e2e:electron [-- spec …]`: the same journeys on a real Electron. Where its binary or a display is missing it says so and fails. */
import { spawnSync } from 'node:child_process'
import { ensureBuilt } from './build.mjs'
import { electronBinary, electronPath } from './electron-binary.mjs'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'

function end(words) {
  console.error(words)
  process.exit(1)
}

// First, so that it is known at once.
if (!electronBinary()) {
  end(
    `The Electron binary is missing: nothing is at ${electronPath() ?? 'node_modules/electron, nor is its package'}.\n` +
      'Get it with `node node_modules/electron/install.js` where the network allows, or name the folder of one of the same\n' +
      'version in ELECTRON_OVERRIDE_DIST_PATH. Without it the journeys run on the double: BELAY_FORM=double npm run test:e2e.',
  )
}
const hasXvfb = () => spawnSync('xvfb-run', ['--help'], { stdio: 'ignore', timeout: 5000 }).status === 0
const needsXvfb = process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY
if (needsXvfb && !hasXvfb())
  end('Electron needs a display: set DISPLAY, or install xvfb (on Debian: apt-get install xvfb xauth).')
await ensureInstalled()
await ensureBuilt()
const [command, ...argv] = [
  ...(needsXvfb ? ['xvfb-run', '--auto-servernum'] : []),
  process.execPath,
  'node_modules/@playwright/test/cli.js',
  'test',
  '-c',
  'e2e/playwright.config.ts',
  ...process.argv.slice(2),
]
const { status } = await run(command, argv, {
  cwd: root,
  timeoutMs: 3_600_000,
  env: { ...process.env, BELAY_FORM: 'electron' },
})
process.exit(status ?? 1)
