/** `npm run package [-- --dir]`: builds Belay and packs it for this machine's platform, into `dist`. `--dir`: the app alone, in no archive or installer. */
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { electronBinary, electronFolder, electronPath } from './electron-binary.mjs'
import { ensureInstalled, root } from './install.mjs'
import { run } from './run.mjs'

const TIMEOUT_MS = 1_800_000
const platform = { linux: '--linux', darwin: '--mac', win32: '--win' }[process.platform]

function stop(...lines) {
  for (const line of lines) console.error(line)
  process.exit(1)
}

const unknown = process.argv.slice(2).filter(argument => argument !== '--dir')
if (unknown.length > 0)
  stop(`"${unknown.join(' ')}" is not understood. The only option is --dir: the app alone, in no archive or installer.`)
if (!platform) stop(`Belay is packed on Linux, macOS and Windows, each for itself; this is ${process.platform}.`)

if (!electronBinary())
  stop(
    `Belay was not packed: Electron's own program is not here (${electronPath() ?? 'nor is its package'}).`,
    'Fetch it once with:      npm install && npx install-electron',
    'Or name a folder of it:  ELECTRON_OVERRIDE_DIST_PATH=<folder> npm run package',
  )

await ensureInstalled()
try {
  await ensureBuilt()
} catch (fault) {
  stop(String(fault.message))
}
const builder = join(root, 'node_modules/electron-builder/cli.js')
const targets = process.argv.includes('--dir') ? [platform, 'dir'] : [platform]
const config = ['--config', 'electron-builder.config.ts', `-c.electronDist=${electronFolder()}`]
const { status } = await run(process.execPath, [builder, ...targets, ...config, '--publish', 'never'], {
  cwd: root,
  timeoutMs: TIMEOUT_MS,
  env: process.env,
})
if (status !== 0)
  stop(
    'Belay was not packed; the words of electron-builder are above.',
    'It fetches the tools that make an AppImage, a deb or an installer once, from GitHub: offline, name your own',
    '(APPIMAGE_TOOLS_PATH, CUSTOM_FPM_PATH), or pack the app alone:  npm run package -- --dir',
  )
console.log(`Packed into ${join(root, 'dist')}.`)
