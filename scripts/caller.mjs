/** Whether the `npm` that called this script still runs: a signal to npm alone reaches nobody else. Promise: a script called otherwise is never told. */
import { spawnSync } from 'node:child_process'

const LOOK_MS = 500
const PS_TIMEOUT_MS = 2000

/**
 * Calls back once when npm, or the shell that npm calls scripts with, is gone. The wait keeps no process alive. Returns what ends it.
 * On Windows npm's shell alone is watched.
 */
export function onCallerGone(listener) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const parent = process.ppid
  const callers = [parent, ...npmOver(parent)]
  const timer = setInterval(() => {
    if (process.ppid === parent && callers.every(lives)) return
    clearInterval(timer)
    listener()
  }, LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** npm itself, where a shell stands between. */
function npmOver(pid) {
  if (process.platform === 'win32') return []
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: PS_TIMEOUT_MS,
  })
  const [, above, program] = /^\s*(\d+)\s+(\S+) -c\s/.exec(stdout ?? '') ?? []
  return program && /(^|\/)\w*sh$/.test(program) ? [Number(above)] : []
}

function lives(pid) {
  try {
    return process.kill(pid, 0)
  } catch (fault) {
    return fault.code === 'EPERM'
  }
}
