/**
 * What starting costs: `belay --version` against `node -e 0`; the first paint and the usable window of the browser form in
 * headless Chromium, of the desktop form on the double of electron, and on a real one where there is one; what the processes
 * need at rest. Needs a build. Prints figures and ratios, judges nothing.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../scripts/build.mjs'
import { electronBinary } from '../scripts/electron-binary.mjs'
import { root } from '../scripts/install.mjs'
import { doubleTimes, electronTimes } from './start/desktop.mjs'
import { idleOf, memoryOf, ownProcesses } from './start/processes.mjs'
import { npmStartTimes, webTimes } from './start/web.mjs'

const belay = join(root, 'out/main/belay.js')
const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const ms = value => `${value.toFixed(0)} ms`

function timeOf(args) {
  const times = Array.from({ length: 15 }, () => {
    const began = performance.now()
    spawnSync(process.execPath, args, { timeout: 20_000 })
    return performance.now() - began
  })
  return median(times)
}

/** In one profile; while the last one does nothing its processes are looked at. */
async function starts(times, say, count = 3) {
  const home = mkdtempSync(join(tmpdir(), 'belay-bench-'))
  try {
    for (let at = 0; at < count; at++) {
      let rest = []
      const look = async (pid, page) => {
        if (at === count - 1) rest = await atRest(pid, page)
      }
      say(at === 0 ? 'cold' : 'warm', await times(home, look))
      for (const line of rest) console.log(`      ${line}`)
    }
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function atRest(pid, page) {
  const own = ownProcesses(pid)
  if (Object.keys(own).length === 0) return []
  // What a start leaves to do is done: files are found, code is fetched ahead, what was read is let go of.
  await new Promise(resolve => setTimeout(resolve, 15_000))
  const parts = (each, unit, digits) =>
    Object.entries(each).map(([name, value]) => `${name} ${value.toFixed(digits)}${unit}`)
  const sum = each => Object.values(each).reduce((total, value) => total + value, 0)
  const idle = await idleOf(own, page)
  const memory = Object.fromEntries(Object.entries(own).map(([name, each]) => [name, memoryOf(each)]))
  return [
    `at rest ${sum(memory).toFixed(0)} MiB PSS (${parts(memory, '', 0).join(', ')}), bar 220`,
    `at rest ${sum(idle).toFixed(2)} % of a processor over 10 s (${parts(idle, ' %', 2).join(', ')}), bar 1 %`,
  ]
}

const sayDesktop = (which, { readyMs, ownMs, ownCpuMs, shownMs, paintMs, usableMs }) => {
  console.log(
    `${which}: main's own work before its window ${ms(ownMs)}, ${ms(ownCpuMs)} of a processor, bar 100 ms   Electron ready ${ms(readyMs)} after it was loaded`,
  )
  console.log(`      shown ${ms(shownMs)} after that   first paint ${ms(paintMs)}   usable ${ms(usableMs)} after exec`)
}

await ensureBuilt()
const node = timeOf(['-e', '0'])
const version = timeOf([belay, '--version'])
console.log(`belay --version   ${ms(version)}   node -e 0 ${ms(node)}   ratio ${(version / node).toFixed(2)}`)

console.log('browser form')
await starts(webTimes, (which, { linkMs, paintMs, usableMs, totalMs }) =>
  console.log(
    `${which}: link ${ms(linkMs)}   first paint ${ms(paintMs)}   usable ${ms(usableMs)}   from command to usable ${ms(totalMs)}`,
  ),
)
console.log('npm start, nothing to install or build, browser form')
await starts(npmStartTimes, (which, { linkMs, totalMs }) =>
  console.log(`${which}: link ${ms(linkMs)}   from command to usable ${ms(totalMs)}, bar 2000 ms`),
)
console.log('desktop form on the double of electron')
await starts(doubleTimes, sayDesktop)
const binary = electronBinary()
if (binary) {
  console.log('desktop form on Electron')
  await starts((home, look) => electronTimes(binary, home, look), sayDesktop)
} else console.log('desktop form on Electron: its binary is not here')
