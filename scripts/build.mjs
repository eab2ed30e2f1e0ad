/** Builds everything into out/ when something it is made of has changed, and does nothing otherwise. Two at once: one builds. */
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { root } from './install.mjs'
import { run } from './run.mjs'

const cache = join(root, '.cache')
const stamp = join(cache, 'build-hash')
const lock = join(cache, 'build.lock')
const sources = ['sidecar', 'src-main', 'src-preload', 'src-renderer', 'resources']
const single = [
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'packaging/publisher.ts',
  'scripts/boot-colours.ts',
  'scripts/bundled-icons.ts',
  'tsconfig.json',
]
/** Of the environment, what becomes part of the build. */
const compiledIn = ['BELAY_FEED_URL', 'BELAY_FEED_KEY', 'BELAY_FEED_PUBLISHER']
const outputs = [
  'out/main/belay.js',
  'out/main/sidecar.js',
  'out/main/grammar/tree-sitter-bash.wasm',
  'out/preload/index.cjs',
  'out/renderer/index.html',
]
const LOCK_TIMEOUT_MS = 300_000
const BUILD_TIMEOUT_MS = 600_000

/** Throws after the builder's words when it fails; the previous build then stays as it was told to be: outdated. */
export async function ensureBuilt() {
  mkdirSync(cache, { recursive: true })
  if (isCurrent(inputHash())) return
  await takeLock()
  // A signal ends the builder and then this process; the lock goes with it.
  process.once('exit', freeLock)
  try {
    const hash = inputHash()
    if (isCurrent(hash)) return
    const began = Date.now()
    process.stdout.write('Building Belay ... ')
    rmSync(stamp, { force: true })
    const bundler = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
    const { status, output } = await run(process.execPath, [bundler, 'build', '--logLevel', 'warn'], {
      cwd: root,
      quiet: true,
      timeoutMs: BUILD_TIMEOUT_MS,
      env: { ...process.env, NODE_ENV: 'production' },
    })
    if (status !== 0) {
      console.log('failed.')
      console.error(output)
      process.exitCode = 1
      throw new Error('The build failed; its words are above.')
    }
    // npm runs `belay` through its first line.
    chmodSync(join(root, 'out/main/belay.js'), 0o755)
    writeFileSync(stamp, hash)
    console.log(`done in ${((Date.now() - began) / 1000).toFixed(1)} s.`)
  } finally {
    process.off('exit', freeLock)
    freeLock()
  }
}

const freeLock = () => rmSync(lock, { force: true })

const isCurrent = hash =>
  existsSync(stamp) && readFileSync(stamp, 'utf8') === hash && outputs.every(file => existsSync(join(root, file)))

function inputHash() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0])
  for (const name of compiledIn) hash.update(`\0${name}=${process.env[name] ?? ''}`)
  for (const file of [...single.map(name => join(root, name)), ...sources.flatMap(name => filesIn(join(root, name)))]) {
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Sorted, without tests: they are in no bundle. */
function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() && !/[.](test|case)[.]tsx?$/.test(entry.name) ? [path] : []
    })
}

/** A builder that was killed leaves its lock: its pid tells. */
async function takeLock() {
  for (const deadline = Date.now() + LOCK_TIMEOUT_MS; ; ) {
    try {
      const handle = openSync(lock, 'wx')
      writeSync(handle, String(process.pid))
      return
    } catch (fault) {
      if (fault.code !== 'EEXIST') throw fault
    }
    if (Date.now() > deadline || !builderLives()) rmSync(lock, { force: true })
    else await after(100)
  }
}

function builderLives() {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')) || process.pid, 0)
    return true
  } catch (fault) {
    return fault.code === 'EPERM'
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await ensureBuilt()
  } catch (fault) {
    console.error(String(fault.message))
    process.exit(1)
  }
}
