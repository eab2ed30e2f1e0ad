/** Runs one program to its end for a script. Promise: whoever ends the script by a signal, or the npm that called it, ends the program too. */
import { spawn, spawnSync } from 'node:child_process'
import { constants } from 'node:os'
import { onCallerGone } from './caller.mjs'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const GRACE_MS = 3000

/**
 * Resolves with `{ status, output }`; `output` is '' unless `quiet` (then nothing is shown). A signal to this process ends
 * the program first, and then this process with the signal's code. In the same group: what ends the group ends both.
 */
export function run(command, argv, { quiet = false, timeoutMs, ...options }) {
  return new Promise(resolve => {
    const stdio = quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
    const child = spawn(command, argv, { ...options, stdio })
    let output = ''
    let asked = null
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', text => {
        output += text
      })
    }
    const end = name => {
      if (process.platform === 'win32')
        spawnSync('taskkill', ['/PID', String(child.pid), '/T', '/F'], { stdio: 'ignore' })
      else child.kill(name)
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
    }
    const pass = name => {
      asked ??= name
      // A terminal has sent its Ctrl-C to the whole group.
      if (name !== 'SIGINT' || !process.stdin.isTTY) end(name)
    }
    for (const name of signals) process.on(name, pass)
    const stopLooking = onCallerGone(() => pass('SIGTERM'))
    const timer = setTimeout(() => end('SIGTERM'), timeoutMs)
    const done = (status, words = '') => {
      clearTimeout(timer)
      stopLooking()
      for (const name of signals) process.off(name, pass)
      if (asked) process.exit(128 + constants.signals[asked])
      resolve({ status, output: output + words })
    }
    child.on('error', fault => done(null, String(fault)))
    child.on('close', status => done(status))
  })
}
