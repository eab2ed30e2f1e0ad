/** Ends processes with all they started, each verified right before it is signalled: a recycled pid is never hit. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as after } from 'node:timers/promises'
import { listProcesses, type ProcessInfo } from './process-info.ts'

/** In the environment of everything a group starts: on Linux it finds what left both group and parent. */
export const GROUP_MARK = 'BELAY_GROUP'

export interface Root {
  readonly pid: number
  /** Null: the caller vouches for the pid (its own child, not yet reaped). */
  readonly startedAt: string | null
}

/**
 * TERM, up to `graceMs`, KILL. Returns the pids ended, once they are gone. Never rejects. `group`: a group whose leader has
 * exited and of which a root is a member.
 */
export async function endProcesses(
  roots: readonly Root[],
  options: { graceMs: number; mark?: string; group?: number },
): Promise<number[]> {
  const tree = createTree(roots, options.mark, options.group)
  const deadline = Date.now() + options.graceMs
  const told = new Set<number>()
  let left = await tree.look()
  for (let pauseMs = 5; left.length > 0; pauseMs = Math.min(pauseMs * 2, 50)) {
    const fresh = left.filter(each => !told.has(each.pid))
    signal(fresh, tree.groups, 'SIGTERM')
    for (const each of fresh) told.add(each.pid)
    if (Date.now() >= deadline) break
    await after(Math.min(pauseMs, Math.max(1, deadline - Date.now())))
    left = await tree.look()
  }
  for (let tries = 0; left.length > 0 && tries < 100; tries++) {
    signal(left, tree.groups, 'SIGKILL')
    await after(tries < 10 ? 5 : 20)
    left = await tree.look()
  }
  return [...new Set([...roots.map(root => root.pid), ...tree.known])]
}

/** What runs now of a group and of all that carries its mark. Never rejects. */
export async function membersOf(options: { group: number; mark: string }): Promise<ProcessInfo[]> {
  return createTree([], options.mark, options.group, true).look()
}

/**
 * Members are the roots, their descendants, what carries the mark, what was a member at an earlier look, and everything in
 * a group that a member leads. `vouched`: the group is known to exist (its leader was reaped a moment ago).
 */
function createTree(roots: readonly Root[], mark?: string, group?: number, vouched = false) {
  const known = new Map<number, string>()
  const groups = new Set<number>(vouched && group !== undefined ? [group] : [])
  // A mark is inherited at the fork and stays: each process is asked until it answers, however often one looks.
  const marks = new Map<string, boolean>()
  const readMarks = async (all: readonly ProcessInfo[], sought: string) => {
    const names = all
      .map(each => [`${each.pid} ${each.startedAt}`, each.pid] as const)
      .filter(([name]) => !marks.has(name))
    await Promise.all(
      names.map(async ([name, pid]) => {
        const answer = await hasMark(pid, sought)
        if (answer !== null) marks.set(name, answer)
      }),
    )
  }
  const look = async (): Promise<ProcessInfo[]> => {
    const all = (await listProcesses().catch(() => [])).filter(each => each.pid !== process.pid)
    if (mark !== undefined) await readMarks(all, mark)
    const inside = new Set<number>()
    const belongs = (each: ProcessInfo) =>
      inside.has(each.parentPid) ||
      (each.groupId > 0 && groups.has(each.groupId)) ||
      known.get(each.pid) === each.startedAt ||
      roots.some(
        root => root.pid === each.pid && (root.startedAt ?? known.get(each.pid) ?? each.startedAt) === each.startedAt,
      ) ||
      marks.get(`${each.pid} ${each.startedAt}`) === true
    for (let size = -1; size !== inside.size; ) {
      size = inside.size
      for (const each of all) {
        if (inside.has(each.pid) || !belongs(each)) continue
        inside.add(each.pid)
        if (each.groupId === each.pid || each.groupId === group) groups.add(each.groupId)
      }
    }
    const members = all.filter(each => inside.has(each.pid))
    for (const each of members) known.set(each.pid, each.startedAt)
    return members
  }
  return { look, known: { [Symbol.iterator]: () => known.keys() }, groups: groups as ReadonlySet<number> }
}

/** Null: not known yet. In the middle of an exec a process shows no environment at all. */
async function hasMark(pid: number, mark: string): Promise<boolean | null> {
  if (process.platform !== 'linux') return false
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
  return environment === '' ? null : environment.includes(`${GROUP_MARK}=${mark}`)
}

/** Groups too: a member that forks between look and signal does not slip through. */
function signal(members: readonly ProcessInfo[], groups: ReadonlySet<number>, name: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    for (const { pid } of members) {
      const args = ['/PID', String(pid), '/T', ...(name === 'SIGKILL' ? ['/F'] : [])]
      spawn('taskkill', args, { stdio: 'ignore', windowsHide: true }).on('error', () => {})
    }
    return
  }
  const whole = [...groups].filter(group => members.some(each => each.groupId === group))
  const alone = members.filter(each => !groups.has(each.groupId))
  for (const target of [...whole.map(group => -group), ...alone.map(each => each.pid)]) {
    try {
      process.kill(target, name)
    } catch {
      // Gone already.
    }
  }
}
