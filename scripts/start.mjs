/** `npm start [-- folder]`: installs and builds what is missing, then opens Belay: the desktop window, or the browser form. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { onCallerGone } from './caller.mjs'
import { electronBinary } from './electron-binary.mjs'
import { ensureInstalled, root } from './install.mjs'

/** npm runs this in the repository; a relative folder is meant from where the person stands. */
const given = process.argv
  .slice(2)
  .map(argument =>
    /^(-|belay:|\d+$)/i.test(argument) ? argument : resolve(process.env.INIT_CWD ?? process.cwd(), argument),
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
