/** An app's executable as Electron's is, of Node and a few lines: it runs JavaScript only where it is told to be Node, and says it is Electron. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** It ends with this, where a window would have opened. */
export const OPENED_A_WINDOW = 97

/** As an app it tells its arguments, also to the file that `APP_TELLS` names. Knows itself wherever it is moved to, together with the file beside it. */
export function writeAppExecutable(folder: string, name: string): string {
  const file = join(folder, name)
  writeFileSync(
    join(folder, 'as-electron.mjs'),
    `process.execPath = process.env.APP_EXECUTABLE
delete process.env.APP_EXECUTABLE
Object.defineProperty(process, 'versions', { value: { ...process.versions, electron: '45.5.0' } })
`,
  )
  writeFileSync(
    file,
    `#!/bin/sh
if [ "$ELECTRON_RUN_AS_NODE" != 1 ]; then
  [ -z "$APP_TELLS" ] || echo "$*" >"$APP_TELLS"
  echo "A window would have opened: $*"
  exit ${OPENED_A_WINDOW}
fi
here=$(cd "$(dirname "$0")" && pwd -P)
export APP_EXECUTABLE="$here/$(basename "$0")"
exec '${process.execPath}' --import "$here/as-electron.mjs" "$@"
`,
  )
  chmodSync(file, 0o755)
  return file
}

/** This process takes itself for the app, until `restore`. Its path has a space and a quote in it, as a person's may. */
export function becomeApp(): { executable: string; restore(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'belay-app-'))
  const { execPath, versions } = process
  const executable = writeAppExecutable(folder, "Be lay's")
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
