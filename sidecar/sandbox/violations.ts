/** What the jail stopped in one command: gathered from the proxy, from what the command complained of, and from the sweep. */
import { isAbsolute, resolve } from 'node:path'
import type { CallId } from '#contract/id'
import type { Violation } from '#contract/sandbox'
import { protectedPart, secretPart } from '../base/protected-places.ts'

const MOST = 50
/** Characters of an output that are looked through, from its end. */
const MOST_READ = 200_000

export interface Violations {
  /** `aside`: the id under which it waits for a person. Null where it was known already, or there is too much. */
  add(category: Violation['category'], target: string, aside?: string | null): Violation | null
  /** Reads the complaints of programs: lines that name a path, and a reason that a jail gives (a placeholder is a folder). */
  read(output: string, cwd: string): void
  all(): Violation[]
}

/** `isStopped`: whether the jail would refuse this, so that an ordinary missing right is not put down to it. */
export function createViolations(
  callId: CallId,
  isStopped: (category: 'read' | 'write', absolute: string) => boolean,
): Violations {
  const found = new Map<string, Violation>()
  const add = (category: Violation['category'], target: string, aside: string | null = null) => {
    const key = `${category} ${target}`
    const known = found.get(key)
    const waits = aside === null ? {} : { aside }
    if (known ? aside === null : found.size >= MOST) return null
    const violation: Violation = { at: Date.now(), category, target, callId, ...known, ...waits }
    found.set(key, violation)
    return violation
  }
  return {
    add,
    read(output, cwd) {
      for (const whole of output.slice(-MOST_READ).split('\n')) {
        // Who complains is nothing that it complains of.
        const line = whole.replace(/^[^\s:]+: line \d+: /, '')
        const reason =
          /(Read-only file system|EROFS|Permission denied|EACCES|Operation not permitted|EPERM|Is a directory|EISDIR)/.exec(
            line,
          )?.[1]
        if (!reason) continue
        const isWrite = /Read-only|EROFS/.test(reason)
        for (const path of pathsIn(line.slice(0, 2000)).map(each => (isAbsolute(each) ? each : resolve(cwd, each)))) {
          if (isWrite || isStopped('write', path)) add('write', path)
          else if (isStopped('read', path)) add('read', path)
        }
      }
    },
    all: () => [...found.values()],
  }
}

/** `bash: line 1: /etc/x: Read-only file system`, `touch: cannot touch 'a b': ...`, `EROFS: ..., open '/etc/x'`. */
function pathsIn(line: string): string[] {
  const quoted = [...line.matchAll(/['"‘“]([^'"’”\n]+)['"’”]/g)].map(([, path = '']) => path)
  const plain = [...line.matchAll(/(?:^|[\s:(])((?:\/|\.{0,2}\/|[\w.-]+\/)[^\s:'"()]*|\.[\w.-]+)(?=[:\s)]|$)/g)]
  const found = [...quoted, ...plain.map(([, path = '']) => path)].filter(path => /[/.]|^\w/.test(path))
  return [...new Set(found)].slice(0, 3)
}

/** One line of what happened and what would work, for a model. */
export function tellViolation({ category, target, aside }: Violation): string {
  const shown = target.length > 300 ? `${target.slice(0, 300)}…` : target
  if (category === 'network')
    return `No connection to ${shown}: it is not allowed. Do without, or ask the person to allow the host.`
  if (category === 'read') return `${shown} cannot be read by commands.`
  const part = protectedPart(target)
  if (category === 'other') return shown
  if (part && aside !== undefined)
    return `${shown} is a protected place (${part}), which commands may not make. It was set aside: the person decides whether it comes back. Use the write or edit tool, which asks.`
  if (part)
    return `${shown} is a protected place (${part}), which commands may not change. Use the write or edit tool, which asks.`
  if (secretPart(target)) return `${shown} is masked and read-only for commands without "withSecrets": true.`
  return `${shown} cannot be written: commands write in the workspace and in $TMPDIR only.`
}
