/**
 * A command as parts that are judged one by one: every program that runs, wrapped ones too, and every file that a redirection
 * writes. What is not understood is a part of its own, `unknown`, which no rule allows.
 */
import { programOf, quoted, textOf } from './canonical.ts'
import { type Redirect, readScript, type Script, type ScriptPlace, type Simple } from './read-script.ts'
import { readingOf } from './reads.ts'
import { gitCall, movesRefs } from './reads-git.ts'
import type { Word } from './words.ts'
import { findExecs, isHarmlessVariable, opaquePrograms, wrappers } from './wrappers.ts'

export type PartKind = 'reads' | 'runs' | 'moves-refs' | 'unknown'

export interface ShellPart {
  /** In one spelling, as a person reads it. */
  readonly text: string
  readonly kind: PartKind
  /** Why it is no read, or not understood. */
  readonly why: string
  /** What a rule that denies or asks is held against: each spelling that a person may have thought of. */
  readonly forms: readonly string[]
  /** What an allowing rule must fit, with at least `head` characters of it spelled out. None: nothing allows it. */
  readonly allowed: readonly { readonly text: string; readonly head: number }[]
  /** Of a read: what it looks at. Null where it does not read. */
  readonly reading: {
    readonly paths: readonly Word[]
    readonly git?: readonly string[]
    readonly anywhere?: boolean
  } | null
  /** Of anything else: words that may name what it changes. */
  readonly places: readonly Word[]
  readonly cwds: readonly string[] | null
  readonly argv: readonly Word[]
  /** It runs within another part of the list, or runs others. */
  readonly layered: boolean
  /** It sets variables that may change what it does. */
  readonly set: boolean
}

export interface Understanding {
  readonly parts: readonly ShellPart[]
  readonly unknown: string | null
}

const MAX_NESTED = 4

/** Never rejects: a grammar that cannot be loaded understands nothing. `cwd`: null where it is not known. */
export async function understand(command: string, place: ScriptPlace): Promise<Understanding> {
  try {
    return await withWhole(command, await readScript(command, place), place, 0)
  } catch {
    return { parts: [notUnderstood(command, 'the grammar of the shell could not be loaded')], unknown: 'no grammar' }
  }
}

/** What no grammar is held for: always asks. */
export const notUnderstood = (command: string, why: string): ShellPart => ({
  ...bare,
  text: command.trim(),
  kind: 'unknown',
  why: `It is not understood: ${why}.`,
  forms: [command.trim(), ...crude(command)],
  allowed: [],
})

/** Only good enough to forbid. */
const crude = (command: string): string[] =>
  command
    .slice(0, 50_000)
    .split(/[;&|\n\r`(){}]+|\$\(/)
    .flatMap(text => [text.trim(), text.trim().replace(/^(?:\w+=\S*\s+)+/, '')])
    .filter(text => text !== '')

const bare = { reading: null, places: [], cwds: null, argv: [], layered: false, set: false } as const

async function withWhole(command: string, script: Script, place: ScriptPlace, depth: number): Promise<Understanding> {
  const parts: ShellPart[] = []
  let unknown = script.unknown
  for (const simple of script.commands) {
    parts.push(...redirectParts(simple))
    if (simple.argv.length === 0) {
      if (simple.env.length > 0) parts.push(assignmentPart(simple))
      continue
    }
    const layers = await layersOf(simple, place, depth)
    parts.push(...layers)
    unknown ??= layers.find(({ kind }) => kind === 'unknown')?.why ?? null
  }
  if (script.unknown !== null) parts.push(notUnderstood(command, script.unknown))
  const whole = command.trim()
  const exact = { text: whole, head: whole.length }
  const marked = parts.map(part => (part.kind === 'unknown' ? part : { ...part, allowed: [...part.allowed, exact] }))
  return { parts: marked, unknown }
}

const endings = /^(?:\/dev\/(?:null|stdout|stderr|fd\/[12]))$/

function redirectParts({ redirects, cwds }: Simple): ShellPart[] {
  return redirects.flatMap(({ kind, target, operator }: Redirect): ShellPart[] => {
    if (target.text !== null && endings.test(target.text)) return []
    const text = `${operator} ${quoted(target)}`
    const common = { ...bare, text, cwds, forms: [text], allowed: [{ text, head: 0 }] }
    if (kind === 'read' && target.pipe) return []
    if (kind === 'read' && target.text !== null && !target.glob && !target.text.startsWith('/dev/'))
      return [{ ...common, kind: 'reads', why: '', reading: { paths: [target] } }]
    return [
      {
        ...common,
        kind: 'runs',
        why: kind === 'read' ? `It reads ${quoted(target)}.` : `It writes ${quoted(target)}.`,
        places: [target],
      },
    ]
  })
}

function assignmentPart({ env, hides, source, cwds }: Simple): ShellPart {
  const text = env.map(({ name, value }) => `${name}=${quoted(value)}`).join(' ')
  const plain = env.every(
    ({ name }) => isHarmlessVariable(name) || (/^[a-z][a-z0-9_]*$/.test(name) && !/_proxy$/.test(name)),
  )
  const reads = plain && hides === null
  return {
    ...bare,
    text,
    cwds,
    forms: [text, source],
    allowed: hides === null ? [{ text, head: 0 }] : [],
    kind: reads ? 'reads' : 'runs',
    why: reads ? '' : hides ? sentence(hides) : 'It sets a variable that may change what programs do.',
    reading: reads ? { paths: [], anywhere: true } : null,
  }
}

interface Layer {
  readonly simple: Simple
  readonly argv: readonly Word[]
  readonly outer: readonly { readonly text: string; readonly head: number }[]
  readonly layered: boolean
}

/** Each program of a simple command: the outermost first, then what it runs. */
async function layersOf(simple: Simple, place: ScriptPlace, depth: number): Promise<ShellPart[]> {
  const parts: ShellPart[] = []
  const queue: Layer[] = [{ simple, argv: simple.argv, outer: [], layered: false }]
  for (let layer = queue.shift(); layer; layer = queue.shift()) {
    if (parts.length > 30) return [...parts, notUnderstood(simple.source, 'it is wrapped too often')]
    const { argv } = layer
    const name = programOf(argv[0])
    const opaque = name !== null && Object.hasOwn(opaquePrograms, name) ? opaquePrograms[name] : null
    const wrap = name !== null && Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    const wrapped = wrap?.(argv.slice(1))
    if (name === null || argv[0]?.glob)
      parts.push(notUnderstood(textOf(argv), 'which program runs is known only when it runs'))
    else if (opaque) parts.push(unknownLayer(layer, opaque))
    else if (wrapped?.unknown) parts.push(unknownLayer(layer, wrapped.unknown))
    else if (wrapped?.inner) {
      parts.push(partOf(layer, wrapped.transparent ? '' : `It runs what follows in another way (${name}).`, true))
      if ('argv' in wrapped.inner) queue.push(innerLayer(layer, wrapped.inner.argv))
      else parts.push(...(await scriptLayer(layer, wrapped.inner.text, place, depth)))
    } else if (wrapped) parts.push(partOf(layer, wrapped.transparent ? '' : `${name} runs what is in a file.`, false))
    else if (name === 'find') {
      const { inner, rest, unknown } = findExecs(argv.slice(1))
      if (unknown) parts.push(unknownLayer(layer, 'what find runs has no end'))
      else {
        const [program] = argv
        parts.push(ownPart(layer, program ? [program, ...rest] : rest))
        queue.push(...inner.map(each => innerLayer(layer, each)))
      }
    } else parts.push(ownPart(layer, argv))
  }
  return parts
}

async function scriptLayer(layer: Layer, text: string, place: ScriptPlace, depth: number): Promise<ShellPart[]> {
  if (depth >= MAX_NESTED) return [unknownLayer(layer, 'shells are nested too deeply')]
  const cwd = layer.simple.cwds?.length === 1 ? (layer.simple.cwds[0] ?? null) : null
  const { parts } = await withWhole(text, await readScript(text, { ...place, cwd }), place, depth + 1)
  const own = ownText(layer)
  return parts.map(part => ({
    ...part,
    layered: true,
    set: part.set || setsMore(layer.simple),
    // A text for a shell is allowed as it is or by rules for what is in it, not by what a rule says of the shell.
    allowed:
      part.kind === 'unknown' ? [] : [...(setsMore(layer.simple) ? [] : part.allowed), { text: own, head: own.length }],
  }))
}

const sentence = (why: string): string => `${why.charAt(0).toUpperCase()}${why.slice(1)}.`
const unknownLayer = ({ argv, simple }: Layer, why: string): ShellPart => ({
  ...notUnderstood(textOf(argv), why),
  forms: [...formsOf(argv), simple.source],
})
const setsMore = ({ env }: Simple): boolean => env.some(({ name }) => !isHarmlessVariable(name))
const envText = ({ env }: Simple): string => env.map(({ name, value }) => `${name}=${quoted(value)} `).join('')
const ownText = ({ simple, argv }: Layer): string => `${setsMore(simple) ? envText(simple) : ''}${textOf(argv)}`

/** What an allowing rule for the outer program must spell out to mean this one too: all up to its name. */
function innerLayer(layer: Layer, argv: readonly Word[]): Layer {
  const [program] = argv
  const at = program ? layer.argv.indexOf(program) : -1
  const own = ownText(layer)
  const upTo = own.length - textOf(layer.argv).length + textOf(layer.argv.slice(0, at + 1)).length
  return { ...layer, argv, layered: true, outer: [...layer.outer, { text: own, head: at < 0 ? own.length : upTo }] }
}

function allowedOf(layer: Layer): ShellPart['allowed'] {
  const { simple, argv, outer } = layer
  if (simple.hides !== null) return []
  const own = ownText(layer)
  const asWritten = argv === simple.argv && simple.redirects.length === 0 && !simple.fed ? [simple.source.trim()] : []
  return [
    ...new Set([
      own,
      ...(simple.env.length > 0 && !setsMore(simple) ? [`${envText(simple)}${textOf(argv)}`] : []),
      ...asWritten,
    ]),
  ]
    .map(text => ({ text, head: 0 }))
    .concat(outer)
}

function formsOf(argv: readonly Word[]): string[] {
  const [first, ...rest] = argv
  const name = programOf(first)
  const text = textOf(argv)
  const loose = argv.map(({ text: word, source }) => word ?? source).join(' ')
  const named = name !== null && name !== first?.text ? [`${name} ${rest.map(quoted).join(' ')}`.trim()] : []
  const call = name === 'git' ? gitCall(rest) : null
  const git = call?.verb ? [`git ${call.verb} ${call.args.map(quoted).join(' ')}`.trim()] : []
  return [...new Set([text, loose, ...named, ...git])]
}

/** A program that runs others: by itself it does nothing, or `why` says what. */
function partOf(layer: Layer, why: string, runsOthers: boolean): ShellPart {
  const { simple, argv } = layer
  const setting = setsMore(simple) ? 'It sets variables that may change what a program does.' : ''
  const hidden = simple.hides === null ? '' : sentence(simple.hides)
  const because = why || setting || hidden
  return {
    ...bare,
    text: ownText(layer),
    kind: because === '' ? 'reads' : 'runs',
    why: because,
    forms: [...new Set([...formsOf(argv), simple.source])],
    allowed: allowedOf(layer),
    reading: because === '' ? { paths: [], anywhere: true } : null,
    places: runsOthers || because === '' ? [] : argv.slice(1),
    cwds: simple.cwds,
    argv,
    layered: layer.layered || runsOthers,
    set: setsMore(simple),
  }
}

function ownPart(layer: Layer, argv: readonly Word[]): ShellPart {
  const { simple } = layer
  const git = programOf(argv[0]) === 'git'
  const { reading, why } = readingOf(argv)
  const hidden = simple.hides ?? (setsMore(simple) ? 'it sets variables that may change what it does' : null)
  const part = partOf({ ...layer, argv: layer.argv }, sentence(hidden ?? why), false)
  if (reading && hidden === null) return { ...part, kind: 'reads', why: '', reading, places: [] }
  const moves = git && movesRefs(argv.slice(1))
  return {
    ...part,
    kind: moves ? 'moves-refs' : 'runs',
    why: moves ? 'It moves refs, the index or what is checked out.' : part.why,
  }
}
