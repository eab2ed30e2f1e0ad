/** Makes node_modules agree with package-lock.json, and does nothing when it already does. Needs only Node and npm. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))
const marker = join(root, 'node_modules', '.belay-lock-hash')
const LEAST_NODE = [20, 19]

/** Exits with words when Node is too old or npm fails. */
export async function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < LEAST_NODE[0] || (major === LEAST_NODE[0] && minor < LEAST_NODE[1])) {
    console.error(
      `Belay needs Node ${LEAST_NODE.join('.')} or newer; this is ${process.versions.node}. Nothing was changed.`,
    )
    process.exit(1)
  }
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return
  console.log('Installing packages (once, and again when they change) ...')
  const npm = process.env.npm_execpath
  // Not `ci`: an optional package that a registry does not have (vite names one for Windows) makes it refuse the whole tree.
  // Without saving, the lock file is followed and stays as it is.
  const argv = ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: root, timeoutMs: 900_000, env: { ...process.env, ...ownHeaders() } }
  const { status } = npm
    ? await run(process.execPath, [npm, ...argv], options)
    : await run('npm', argv, { ...options, shell: process.platform === 'win32' })
  if (status !== 0) {
    console.error(
      'npm could not install the packages; its own message is above. Run the same command again when that is mended.',
    )
    process.exit(1)
  }
  writeFileSync(marker, hash)
}

/** What is compiled here (node-pty, on Linux) finds the headers that Node came with; otherwise node-gyp would download them. */
function ownHeaders() {
  const prefix = dirname(dirname(realpathSync(process.execPath)))
  const set = process.env.npm_config_nodedir !== undefined
  return !set && existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {}
}
