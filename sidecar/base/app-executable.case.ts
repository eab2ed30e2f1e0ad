/** An app's executable as Electron's is, of Node and a few lines: it runs JavaScript only where it is told to be Node, and says it is Electron. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** It ends with this, where a window would have opened. */
export const OPENED_A_WINDOW = 97

/** Below `folder`; its path has a space and a quote in it, as a person's may. */
export function writeAppExecutable(folder: string, node = process.execPath): string {
  const file = join(folder, "Be lay's")
  const inside = join(folder, 'as-electron.mjs')
  writeFileSync(
    inside,
    `process.execPath = ${JSON.stringify(file)}
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45.5.0' } })
`,
  )
  writeFileSync(
    file,
    `#!/bin/sh
[ "$ELECTRON_RUN_AS_NODE" = 1 ] || { echo 'A window would have opened.' >&2; exit ${OPENED_A_WINDOW}; }
exec '${node}' --import '${pathToFileURL(inside)}' "$@"
`,
  )
  chmodSync(file, 0o755)
  return file
}

/** This process takes itself for the app, until `restore`. */
export function becomeApp(): { executable: string; restore(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'belay-app-'))
  const { execPath, versions } = process
  const executable = writeAppExecutable(folder)
  const be = (path: string, value: object) => {
    process.execPath = path
    Object.defineProperty(process, 'versions', { value, configurable: true, enumerable: true })
  }
  be(executable, { ...versions, electron: '45.5.0' })
  return {
    executable,
    restore() {
      be(execPath, versions)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
