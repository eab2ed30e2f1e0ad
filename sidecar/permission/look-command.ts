/** From a command to the facts that decide about it: its parts, where their words lead on this disk, and what a project defines. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import picomatch from 'picomatch'
import type { Root } from '#contract/workspace'
import type { CommandAction } from '../agent/ports.ts'
import { protectedNames } from '../base/protected-places.ts'
import type { CommandFacts, PartFacts } from './decide.ts'
import { boundOf } from './definition.ts'
import { gitRuns } from './git-config.ts'
import { placeOf, type Where } from './place.ts'
import { protectedPart, secretPart } from './places.ts'
import type { Bound } from './rule.ts'
import { programOf } from './shell/canonical.ts'
import { gitCall } from './shell/reads-git.ts'
import { notUnderstood, type ShellPart, understand } from './shell/understand.ts'
import type { Word } from './shell/words.ts'

export interface SeenCommand {
  readonly facts: CommandFacts
  readonly parts: readonly ShellPart[]
  /** What the project defines of it; more than one thing, or one that cannot be bound, is not remembered. */
  readonly bound: Bound | null
  readonly bindable: boolean
}

interface Surroundings {
  readonly roots: readonly Root[]
  readonly own: readonly string[]
  readonly jailed: boolean
  readonly tool: string
  readonly platform: NodeJS.Platform
}

/** How many words are followed on the disk; a command with more is no read. */
const MAX_WORDS = 60

export async function lookAtCommand(action: CommandAction, around: Surroundings): Promise<SeenCommand> {
  const { roots, jailed, platform } = around
  const cwd = action.cwd === '' ? null : action.cwd
  const where: Where = { roots, own: around.own }
  const { parts } = await partsOf(action, cwd, around)
  const seen = await Promise.all(parts.map(part => seenPart(part, where, platform)))
  const root =
    roots.find(each => cwd !== null && (cwd === each.absolute || cwd.startsWith(`${each.absolute}/`)))?.absolute ?? cwd
  const defined =
    root === null ? [] : (await Promise.all(parts.map(part => boundOf(part, root)))).filter(each => each !== null)
  const bounds = defined.flatMap(each => (each === 'unsure' ? [] : [each]))
  const facts: CommandFacts = {
    whole: action.command.trim(),
    cwd: action.cwd.split('\\').join('/'),
    parts: seen,
    bounds,
    jailed,
    unjailed: action.unjailed === true,
    withSecrets: action.withSecrets === true,
  }
  const [bound = null] = bounds
  return { facts, parts, bound, bindable: defined.length === bounds.length && bounds.length <= 1 }
}

async function partsOf(
  action: CommandAction,
  cwd: string | null,
  { tool, platform }: Surroundings,
): Promise<{ parts: readonly ShellPart[] }> {
  // What is typed into a program that runs already: nobody knows what that makes of it.
  if (tool === 'bash_input') {
    const text = action.exact
    const typed = {
      ...notUnderstood(text, ''),
      kind: 'runs' as const,
      why: 'It is input for a program that runs.',
      forms: [text.trim()],
    }
    return { parts: [{ ...typed, allowed: [{ text: text.trim(), head: text.trim().length }] }] }
  }
  if (platform === 'win32') return { parts: [notUnderstood(action.command, 'PowerShell is not read here')] }
  const { parts } = await understand(action.command, { cwd, home: homedir() })
  return { parts: parts.length > 0 ? parts : [nothing] }
}

const nothing: ShellPart = {
  ...notUnderstood('', ''),
  kind: 'reads',
  why: '',
  text: '',
  reading: { paths: [], anywhere: true },
}

async function seenPart(part: ShellPart, where: Where, platform: NodeJS.Platform): Promise<PartFacts> {
  const { text, kind, why, forms, allowed } = part
  const base = { text, kind, why, forms, allowed, protectedPart: null }
  if (kind === 'reads') {
    const problem = await whyNoSilentRead(part, where)
    return problem === null ? base : { ...base, kind: 'runs', why: problem }
  }
  if (kind === 'unknown') return { ...base, protectedPart: forms.map(inText).find(each => each !== null) ?? null }
  return { ...base, protectedPart: await protectedIn(part, where, platform) }
}

async function whyNoSilentRead({ reading, cwds }: ShellPart, where: Where): Promise<string | null> {
  if (!reading || reading.anywhere) return null
  const words: Word[] = [...reading.paths]
  if (cwds === null) return 'It is not known where it would read.'
  if (words.length * cwds.length > MAX_WORDS) return 'It names more files than are looked at.'
  for (const cwd of cwds) {
    if ((await placeOf(cwd, where)).outside) return 'It runs outside the opened folders.'
    for (const word of words) {
      const problem = await problemOf(word, cwd, where)
      if (problem !== null) return problem
    }
    if (!reading.git) continue
    const at = reading.git.reduce((folder, next) => resolve(folder, next), cwd)
    const place = await placeOf(at, where)
    if (place.outside) return 'It reads outside the opened folders.'
    const runs = await gitRuns(place.real ?? at)
    if (runs !== null) return `It may run a program: ${runs}.`
  }
  return null
}

async function problemOf(word: Word, cwd: string, where: Where): Promise<string | null> {
  const text = word.text ?? ''
  const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text
  if (word.pipe || text === '-' || text === '') return null
  const parts = word.glob ? text.split('/') : []
  const wild = parts.findIndex(part => /[*?[]/.test(part))
  const fixed = wild < 0 ? text : parts.slice(0, wild).join('/') || (text.startsWith('/') ? '/' : '.')
  if (wild >= 0 && parts.slice(wild).includes('..')) return `${shown} may lead anywhere.`
  if (wild >= 0 && parts.slice(wild).some(mayNameSecret)) return `${shown} may name secrets.`
  if (text.startsWith('/dev/')) return text === '/dev/null' ? null : `${shown} is a device.`
  const secret = secretPart(text)
  if (secret !== null) return `${secret} is likely to hold secrets.`
  const place = await placeOf(resolve(cwd, fixed), where)
  if (place.own) return "It reads Belay's own files."
  if (place.outside) return `${shown} is outside the opened folders.`
  return place.secret === null ? null : `${place.secret} is likely to hold secrets.`
}

const secretSamples = [
  '.env',
  '.env.local',
  '.netrc',
  '.ssh',
  '.aws',
  '.docker',
  '.git-credentials',
  'id_rsa',
  'id_ed25519',
  'server.pem',
]
/** `*` alone means whatever is there, and the jail masks what is secret of that. */
const mayNameSecret = (part: string): boolean => {
  if (/^\*+$/.test(part) || !/[*?[]/.test(part)) return false
  if (/^[*?[]/.test(part) && !/[._a-z]{3}/i.test(part.replace(/^\*+/, ''))) return false
  return matchesAny(part, secretSamples)
}
const matchesAny = (pattern: string, names: Iterable<string>): boolean => {
  try {
    const glob = picomatch(pattern, { dot: !/^[*?[]/.test(pattern), nocase: true })
    return [...names].some(name => glob(name))
  } catch {
    return true
  }
}

/** Only what is there to be read: these put no name of theirs to use. */
const namesOnly = /^(?:add|commit|diff|log|show|status|blame|grep|push|tag)$/

/** The protected place that a part names: as a file on this disk, by its name, or somewhere in a text. */
async function protectedIn(part: ShellPart, where: Where, platform: NodeJS.Platform): Promise<string | null> {
  const git = programOf(part.argv[0]) === 'git' ? gitCall(part.argv.slice(1)) : null
  if (git?.verb && namesOnly.test(git.verb)) return null
  const found = part.places.slice(0, MAX_WORDS * 4).flatMap(namesIn)
  for (const name of found) {
    const byName = protectedPart(name)
    if (byName !== null) return byName
    if (/[*?[]/.test(name)) {
      const wild = name
        .split('/')
        .find(each => each.startsWith('.') && /[*?[]/.test(each) && matchesAny(each, protectedNames))
      if (wild) return wild
    }
  }
  for (const name of found.slice(0, MAX_WORDS)) {
    if (/\s/.test(name) || platform === 'win32') continue
    for (const cwd of part.cwds ?? []) {
      const place = await placeOf(resolve(cwd, name), where)
      if (place.own) return "Belay's own folders"
      if (place.protected !== null && !place.outside) return place.protected
    }
  }
  return null
}

/** Every way a word may hold the name of a file: alone, behind `=`, glued to an option, in a text. */
function namesIn(word: Word): string[] {
  const text = word.text ?? word.prefix
  if (text === '') return []
  const behind = text.includes('=') ? [text.slice(text.indexOf('=') + 1)] : []
  const glued = /^-[A-Za-z]./.test(text) ? [text.slice(2)] : []
  const tokens = text.length < 20_000 && /[\s'"`(),;:<>|&=]/.test(text) ? text.split(/[\s'"`(),;:<>|&=]+/) : []
  return [...new Set([...(/^-/.test(text) ? [] : [text]), ...behind, ...glued, ...tokens])].filter(each => each !== '')
}

const inText = (text: string): string | null => {
  for (const token of text.slice(0, 20_000).split(/[\s'"`(),;:<>|&=]+/)) {
    const found = token === '' ? null : protectedPart(token)
    if (found !== null) return found
  }
  return null
}
