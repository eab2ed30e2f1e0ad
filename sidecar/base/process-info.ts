/** Who a pid really is: its start time and the boot it belongs to. A pid alone is never taken for the process it once was. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const platform = process.platform

/** Names one process for ever: a recycled pid has another start time, a later boot another boot id. */
export interface ProcessStamp {
  readonly pid: number
  /** Opaque; compare for equality. Null where the platform would not say. */
  readonly startedAt: string | null
  /** Opaque; compare for equality. */
  readonly bootId: string
}

export interface ProcessInfo {
  readonly pid: number
  readonly parentPid: number
  /** 0 on Windows, which has no process groups. */
  readonly groupId: number
  readonly startedAt: string
}

/** Running processes; zombies are left out: they run nothing and hold nothing. Own processes only, where a platform hides others. */
export async function listProcesses(): Promise<ProcessInfo[]> {
  if (platform === 'linux') {
    // Read beside the event loop: a busy machine has hundreds, and this runs while an agent streams.
    const pids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
    return (await Promise.all(pids.map(pid => linuxProcess(Number(pid))))).filter(found => found !== null)
  }
  return platform === 'win32' ? windowsProcesses('') : unixProcesses(['-ax'])
}

/** Null: no such process (or only its zombie). */
export async function processOf(pid: number): Promise<ProcessInfo | null> {
  if (platform === 'linux') return linuxProcess(pid)
  const found = await (platform === 'win32'
    ? windowsProcesses(`-Filter "ProcessId=${Math.trunc(pid)}"`)
    : unixProcesses(['-p', String(pid)]))
  return found.find(each => each.pid === pid) ?? null
}

/** False only when the system says that there is no such process. A zombie is still there. */
export function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

export async function stampOf(pid: number): Promise<ProcessStamp> {
  return { pid, startedAt: (await processOf(pid))?.startedAt ?? null, bootId: await bootId() }
}

let bootNow: string | undefined
/** The same at once, where that costs nothing: null off Linux, and where there is no such process. */
export function stampNow(pid: number): ProcessStamp | null {
  if (platform !== 'linux') return null
  try {
    bootNow ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const found = parsedStat(pid, readFileSync(`/proc/${pid}/stat`, 'latin1'))
    return found && { pid, startedAt: found.startedAt, bootId: bootNow }
  } catch {
    return null
  }
}

/** True only when this very process cannot be running: another boot, pid gone or a zombie, or a recycled pid. In doubt false. */
export async function isProvablyDead(stamp: ProcessStamp): Promise<boolean> {
  if (stamp.bootId !== (await bootId())) return true
  if (!pidExists(stamp.pid)) return true
  try {
    const now = await processOf(stamp.pid)
    // A platform that hides foreign processes lists nothing: only Linux tells a zombie from a hidden one.
    if (!now) return platform === 'linux'
    return stamp.startedAt !== null && now.startedAt !== stamp.startedAt
  } catch {
    return false
  }
}

let knownBoot: Promise<string> | undefined
/** Start times on Linux count from boot; elsewhere they are dates, so one word serves for every boot of Windows. */
export function bootId(): Promise<string> {
  knownBoot ??= (async () => {
    if (platform === 'linux') return (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    if (platform !== 'darwin') return platform
    // A Mac that does not say is no reason not to start.
    const said = await run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid']).catch(() => null)
    return said?.stdout.trim() || platform
  })()
  return knownBoot
}

/** The command in brackets may itself hold brackets and spaces: count fields from the last one. */
async function linuxProcess(pid: number): Promise<ProcessInfo | null> {
  let text: string
  try {
    text = await readFile(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  return parsedStat(pid, text)
}

function parsedStat(pid: number, text: string): ProcessInfo | null {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state, parentPid, groupId] = fields
  if (state === 'Z' || state === 'X') return null
  return { pid, parentPid: Number(parentPid), groupId: Number(groupId), startedAt: fields[19] ?? '' }
}

async function unixProcesses(which: string[]): Promise<ProcessInfo[]> {
  const args = [...which, '-o', 'pid=,ppid=,pgid=,stat=,lstart=']
  const { stdout } = await run('/bin/ps', args, {
    env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    timeout: 5000,
    maxBuffer: 1 << 24,
  }).catch(fault => ({ stdout: String((fault as { stdout?: string }).stdout ?? '') }))
  return stdout.split('\n').flatMap(line => {
    const [, pid, parentPid, groupId, state, startedAt] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? []
    if (!startedAt || state?.startsWith('Z')) return []
    return [{ pid: Number(pid), parentPid: Number(parentPid), groupId: Number(groupId), startedAt }]
  })
}

async function windowsProcesses(filter: string): Promise<ProcessInfo[]> {
  const script = `Get-CimInstance Win32_Process ${filter} | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToFileTimeUtc())" }`
  const args = ['-NoProfile', '-NonInteractive', '-Command', script]
  const { stdout } = await run('powershell.exe', args, { timeout: 15_000, windowsHide: true, maxBuffer: 1 << 24 })
  return stdout.split(/\r?\n/).flatMap(line => {
    const [pid, parentPid, startedAt] = line.trim().split(' ')
    return pid && startedAt ? [{ pid: Number(pid), parentPid: Number(parentPid), groupId: 0, startedAt }] : []
  })
}
