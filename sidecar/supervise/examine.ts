/** What `belay doctor` looks at: everything Belay needs or likes to have, each with what to do when it is missing. */
import { execFile } from 'node:child_process'
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Folders } from '../base/folders.ts'
import { outsideArchive } from '../base/node-program.ts'
import { findOnPath } from '../base/on-path.ts'
import { findChromium, findElectron, hasScreen } from './executables.ts'

const run = promisify(execFile)

export interface Finding {
  /** `missing` keeps Belay from working; `note` costs a convenience. */
  readonly state: 'ok' | 'note' | 'missing'
  readonly words: string
}

/** In the order in which they are told. Never rejects. Starts `git --version` and `rg --version`, nothing else. */
export async function examine(folders: Folders, env: NodeJS.ProcessEnv): Promise<Finding[]> {
  return [
    node(),
    ...(await Promise.all(Object.entries(folders).map(([name, folder]) => writable(name, folder)))),
    await program('git', findOnPath(['git'], env), 'note', 'changes and history stay hidden: install git'),
    await program('ripgrep', await ripgrep(env), 'missing', 'search does not work: run npm ci again'),
    shell(env),
    ...windows(env),
  ]
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const enough = major > 20 || (major === 20 && minor >= 19)
  const words = `Node ${process.versions.node} (${process.platform} ${process.arch})`
  return enough ? { state: 'ok', words } : { state: 'missing', words: `${words}: Belay needs 20.19 or later` }
}

async function writable(name: string, folder: string): Promise<Finding> {
  const probe = join(folder, `.doctor-${process.pid}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
    return { state: 'ok', words: `${name}: ${folder}` }
  } catch (fault) {
    const words = `${name}: ${folder} cannot be written (${(fault as Error).message}); mend its rights or set BELAY_HOME`
    return { state: 'missing', words }
  }
}

async function program(name: string, path: string | null, without: Finding['state'], advice: string): Promise<Finding> {
  if (!path) return { state: without, words: `${name} was not found; ${advice}` }
  try {
    const { stdout } = await run(path, ['--version'], { timeout: 5000 })
    return { state: 'ok', words: `${stdout.split('\n')[0]?.trim() || name} (${path})` }
  } catch {
    return { state: without, words: `${name} at ${path} does not run; ${advice}` }
  }
}

async function ripgrep(env: NodeJS.ProcessEnv): Promise<string | null> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    const binary = outsideArchive(rgPath)
    await access(binary, constants.X_OK)
    return binary
  } catch {
    return findOnPath(['rg'], env)
  }
}

function shell(env: NodeJS.ProcessEnv): Finding {
  const wanted = process.platform === 'win32' ? ['pwsh', 'powershell'] : [env.SHELL ?? '', '/bin/sh']
  const found = findOnPath(wanted.filter(Boolean), env)
  if (found) return { state: 'ok', words: `shell: ${found}` }
  return { state: 'missing', words: 'no shell was found; set SHELL to one' }
}

function windows(env: NodeJS.ProcessEnv): Finding[] {
  const electron = findElectron(env)
  const chromium = findChromium(env)
  const desktop: Finding = electron
    ? { state: 'ok', words: `desktop window: ${electron}` }
    : { state: 'note', words: 'the Electron binary is not here: Belay opens in a browser window instead' }
  const browser: Finding = chromium
    ? { state: 'ok', words: `browser window: ${chromium}` }
    : { state: 'note', words: 'no Chromium was found: Belay opens in your usual browser' }
  const screen: Finding = { state: 'note', words: 'no screen here (DISPLAY is not set): belay web prints its link' }
  return hasScreen(env) ? [desktop, browser] : [desktop, browser, screen]
}
