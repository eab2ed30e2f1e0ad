/** From an action to the facts that decide about it. Every path is followed to where it really leads before it is judged. */
import { lstat, readlink, realpath } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import type { Root } from '#contract/workspace'
import type { ActionRequest } from '../agent/ports.ts'
import type { Facts } from './decide.ts'
import { addressFacts, hostFacts } from './host.ts'
import { lookAtCommand, type SeenCommand } from './look-command.ts'
import { below, follow, namesFrom, slashed } from './place.ts'
import { protectedPart, secretPart } from './places.ts'

export interface Around {
  readonly roots: readonly Root[]
  /** Belay's own folders. */
  readonly own: readonly string[]
  /** Whether this machine has a jail that holds. */
  readonly jailed: boolean
}

export interface Seen {
  readonly facts: Facts
  readonly command: SeenCommand | null
}

const nowhere = { outside: false, readOnly: false, own: false, protectedPart: null, secretPart: null, shared: false }

/** Reads the disk, changes nothing; a path that cannot be followed counts as outside. */
export async function look({ tool, action }: Pick<ActionRequest, 'tool' | 'action'>, around: Around): Promise<Seen> {
  const bare: Facts = { tool, kind: action.kind, command: null, host: null, absolute: null, inRoots: [], ...nowhere }
  if (action.kind === 'command') {
    const command = await lookAtCommand(action, { ...around, tool, platform: process.platform })
    return { facts: { ...bare, command: command.facts }, command }
  }
  if (action.kind === 'fetch') return { facts: { ...bare, host: addressFacts(action.url) }, command: null }
  if (action.kind === 'network') return { facts: { ...bare, host: hostFacts(action.host, action.port) }, command: null }
  if (action.kind !== 'read' && action.kind !== 'write') return { facts: bare, command: null }
  return { facts: { ...bare, ...(await lookAtPath(action, around)) }, command: null }
}

async function lookAtPath(
  { kind, path }: { kind: 'read' | 'write'; path: string },
  { roots, own }: Around,
): Promise<Partial<Facts>> {
  const real = isAbsolute(path) ? await follow(resolve(path)) : null
  const at = real ?? resolve(path)
  const within = real === null ? [] : roots.filter(root => below(root.absolute, at) !== null)
  const facts = await lstat(at).catch(() => null)
  const names = namesFrom(within, at)
  return {
    absolute: slashed(at),
    inRoots: within.map(root => ({ root: slashed(root.absolute), path: slashed(below(root.absolute, at) ?? '') })),
    outside: within.length === 0,
    readOnly: innermost(within)?.readOnly ?? false,
    own: (await Promise.all(own.map(follow))).some(folder => folder !== null && below(folder, at) !== null),
    protectedPart: protectedPart(names) ?? (kind === 'write' ? await behindProtectedLink(roots, at) : null),
    secretPart: secretPart(names),
    shared: facts?.isFile() === true && facts.nlink > 1,
  }
}

const innermost = (within: readonly Root[]): Root | null =>
  within.reduce<Root | null>((a, b) => (a && a.absolute.length >= b.absolute.length ? a : b), null)

/** A link with a protected name makes what it leads to as dangerous as the name. */
async function behindProtectedLink(roots: readonly Root[], at: string): Promise<string | null> {
  for (const { absolute } of roots) {
    for (const name of linkable) {
      const link = join(absolute, name)
      const target = await readlink(link).then(
        () => realpath(link),
        () => null,
      )
      if (target !== null && below(target, at) !== null) return name
    }
  }
  return null
}
const linkable = ['.belay', '.mcp.json', '.vscode', '.idea', '.claude', '.git', '.husky', '.envrc', '.github']
