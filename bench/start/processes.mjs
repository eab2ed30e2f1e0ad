/** What processes cost: proportional memory, and processor time. From /proc, so on Linux only; elsewhere there is none. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
const read = (pid, file) => readFileSync(`/proc/${pid}/${file}`, 'latin1')
/** Those after the name, which may hold anything: state, parent, ... */
const statOf = pid =>
  read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ')

/** Of `pid` and its children: `{ name: pid }`, by the built file that each runs. */
export function ownProcesses(pid) {
  if (process.platform !== 'linux') return {}
  const found = {}
  for (const each of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const isOurs = Number(each) === pid || Number(statOf(each)[1]) === pid
      const file = isOurs && /\b(belay|index|sidecar|pty-host)\.js/.exec(read(each, 'cmdline'))?.[1]
      if (file) found[file === 'index' ? 'main' : file] = Number(each)
    } catch {
      // It ended while we looked.
    }
  }
  return found
}

/** MiB. */
export const memoryOf = pid => Number(/Pss:\s+(\d+)/.exec(read(pid, 'smaps_rollup'))?.[1]) / 1024

/** Milliseconds of a processor since its start. */
export function processorOf(pid) {
  const stat = statOf(pid)
  return ((Number(stat[11]) + Number(stat[12])) * 1000) / TICKS_PER_SECOND
}

/** Percent of one processor, of each and of the page's own thread, over the next `ms`. */
export async function idleOf(processes, page, ms = 10_000) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const ofPage = async () =>
    (await session.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration').value * 1000
  const times = async () => ({
    ...Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, processorOf(pid)])),
    page: await ofPage(),
  })
  const before = await times()
  await new Promise(resolve => setTimeout(resolve, ms))
  const after = await times()
  await session.detach()
  return Object.fromEntries(Object.entries(after).map(([name, time]) => [name, ((time - before[name]) / ms) * 100]))
}
