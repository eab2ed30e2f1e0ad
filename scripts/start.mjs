/** `npm start [-- folder]`: installs and builds what is missing, then opens Belay: the desktop window, or the browser form. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { onCallerGone } from './caller.mjs'
import { ensureInstalled, root } from './install.mjs'

/** Looks for the file alone: `require('electron')` would try to download it. */
function electronBinary() {
  const program =
    { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron'
  try {
    const home = dirname(createRequire(import.meta.url).resolve('electron/package.json'))
    const binary = join(process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(home, 'dist'), program)
    return existsSync(binary) ? binary : null
  } catch {
    return null
  }
}

/** npm runs this in the repository; a relative folder is meant from where the person stands. */
const given = process.argv
  .slice(2)
  .map(argument =>
    argument.startsWith('-') || /^\d+$/.test(argument)
      ? argument
      : resolve(process.env.INIT_CWD ?? process.cwd(), argument),
  )

await ensureInstalled()
try {
  await ensureBuilt()
} catch (fault) {
  console.error(String(fault.message))
  process.exit(1)
}
const electron = process.argv.includes('--web') ? null : electronBinary()
const rest = given.filter(argument => argument !== '--web')
if (!electron && !process.argv.includes('--web')) {
  console.log('The Electron binary is not here, so Belay opens in a browser window; everything else is the same.')
}
const child = electron
  ? spawn(electron, [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), root, ...rest], { stdio: 'inherit' })
  : spawn(process.execPath, [join(root, 'out/main/belay.js'), 'web', ...rest], { stdio: 'inherit' })
// The terminal sends Ctrl-C to both; what was asked of this process alone is passed on.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
onCallerGone(() => child.kill('SIGTERM'))
child.on('error', fault => {
  console.error(`Belay could not be started: ${fault.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)))
