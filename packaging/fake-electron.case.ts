/** A distribution of Electron's as electron-builder expects it, without Electron: what can be packed and started where the binary cannot be had. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAppExecutable } from '../sidecar/base/app-executable.case.ts'

/** `@electron/fuses` finds the switches behind these words; then come a version, a count, and a letter each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const FUSES_AS_SHIPPED = '10110001'

/** The Linux one, in `folder`. Its executable runs JavaScript as Electron's does, where that is asked of it. */
export function writeFakeElectron(folder: string): void {
  const at = (...names: string[]) => join(folder, ...names)
  mkdirSync(at('locales'), { recursive: true })
  mkdirSync(at('resources'))
  const executable = writeAppExecutable(folder, 'electron')
  const wire = Buffer.concat([
    Buffer.from(`\nexit\n# ${SENTINEL}`),
    Buffer.from([1, FUSES_AS_SHIPPED.length]),
    Buffer.from(`${FUSES_AS_SHIPPED}\n`),
  ])
  writeFileSync(executable, Buffer.concat([readFileSync(executable), wire]))
  for (const name of ['en-US', 'en-GB', 'zh-CN', 'de']) writeFileSync(at('locales', `${name}.pak`), name)
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'icudtl.dat', 'libffmpeg.so'])
    writeFileSync(at(name), `${name}\n`)
  writeFileSync(at('chrome-sandbox'), '', { mode: 0o755 })
}
