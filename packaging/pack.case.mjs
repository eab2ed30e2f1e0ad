/**
 * Packs Belay for Linux into `into`, around the Electron in `electron`, up to the tools that make one file of it and would be
 * fetched. `without`: a folder of `node_modules` to leave out. Its last line of output is what those tools are told.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'electron-builder'

const [electronDist, output, without] = process.argv.slice(2)
const files = without ? [{ from: 'node_modules', to: 'node_modules', filter: [`!${without}/**`] }] : []
mkdirSync(output, { recursive: true })
const told = join(output, 'fpm-was-told')
const fpm = join(output, 'fpm')
writeFileSync(
  fpm,
  `#!${process.execPath}
const { readFileSync, writeFileSync } = require('node:fs')
const argv = process.argv.slice(2)
const told = name => argv.flatMap((each, at) => (each === name ? [argv[at + 1]] : []))
const read = file => readFileSync(file, 'utf8')
const files = Object.fromEntries(argv.filter(each => each.includes('=/')).map(each => each.split('=').reverse()))
writeFileSync(${JSON.stringify(told)}, JSON.stringify({
  files: Object.keys(files),
  desktop: read(files['/usr/share/applications/belay.desktop']),
  depends: told('-d'),
  recommends: told('--deb-recommends'),
  afterInstall: read(told('--after-install')[0]),
  afterRemove: read(told('--after-remove')[0]),
}))
`,
)
chmodSync(fpm, 0o755)
process.env.CUSTOM_FPM_PATH = fpm

let appImage = null
await build({
  projectDir: fileURLToPath(new URL('..', import.meta.url)),
  config: { extends: 'electron-builder.config.ts', electronDist, directories: { output }, files },
  linux: ['AppImage', 'deb'],
  publish: 'never',
  effectiveOptionComputed: async options => {
    if (Array.isArray(options)) return false
    appImage = options
    return true
  },
})
process.stdout.write(`\n${JSON.stringify({ appImage, deb: JSON.parse(readFileSync(told, 'utf8')) })}\n`)
