/** What a project itself defines of a command (`npm test`, `make x`): an allow of it holds for this definition alone. */
import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import type { Bound } from './rule.ts'
import { programOf } from './shell/canonical.ts'
import type { ShellPart } from './shell/understand.ts'

const MAX_BYTES = 2_000_000
const lifecycle = new Set(['test', 'start', 'stop', 'restart', 't', 'tst'])
const named: Record<string, string> = { t: 'test', tst: 'test' }
const makefiles = ['GNUmakefile', 'makefile', 'Makefile']
const justfiles = ['justfile', 'Justfile', '.justfile']

/** `null`: the project does not define it. `unsure`: it does, but not in a way that can be bound. */
export async function boundOf(part: ShellPart, root: string): Promise<Bound | 'unsure' | null> {
  const words = part.argv.map(({ text }) => text)
  const [, ...args] = words
  const program = programOf(part.argv[0])
  const runner = runnerOf(program, args)
  if (runner === null) return null
  if (runner === 'unsure' || part.cwds?.length !== 1 || part.set) return 'unsure'
  const cwd = part.cwds[0] ?? root
  if (runner.kind === 'script') {
    const file = await upward(cwd, ['package.json'])
    return file === null ? 'unsure' : ofScript(file, runner.name, root)
  }
  const file = runner.kind === 'just' ? await upward(cwd, justfiles) : await firstOf(cwd, makefiles)
  return file === null ? 'unsure' : ofFile(file, root)
}

type Runner = { kind: 'script'; name: string } | { kind: 'make' | 'just' } | 'unsure' | null

function runnerOf(program: string | null, args: readonly (string | null)[]): Runner {
  if (program === 'make' || program === 'gmake' || program === 'just') {
    const odd = args.some(text => text === null || /^-/.test(text) || (text.includes('=') && program === 'just'))
    return odd ? 'unsure' : { kind: program === 'just' ? 'just' : 'make' }
  }
  if (!program || !/^(?:npm|pnpm|yarn|bun)$/.test(program)) return null
  const [verb, script, ...rest] = args
  if (verb === null || verb === undefined) return program === 'yarn' ? null : 'unsure'
  if (verb.startsWith('-')) return 'unsure'
  const runs = verb === 'run' || verb === 'run-script' || verb === 'rum' || verb === 'urn'
  const name = runs ? script : (named[verb] ?? verb)
  if (name === null || (runs && name === undefined)) return 'unsure'
  const before = (runs ? rest : [script, ...rest]).filter(each => each !== undefined)
  const until = before.indexOf('--')
  if ((until < 0 ? before : before.slice(0, until)).some(text => text === null || /^-/.test(text))) return 'unsure'
  if (runs || lifecycle.has(verb)) return name?.startsWith('-') ? 'unsure' : { kind: 'script', name: name ?? '' }
  // `yarn build`, `pnpm build`: a script of that name goes before everything else.
  return program === 'npm' || builtin.has(verb) ? null : { kind: 'script', name: verb }
}
const builtin = new Set(
  (
    'add install i remove rm up update upgrade dlx exec x create init why list ls outdated audit cache config link publish pack ' +
    'version info node workspace workspaces global import store patch fetch prune rebuild root bin login logout whoami set'
  ).split(' '),
)

async function ofScript(file: string, name: string, root: string): Promise<Bound | 'unsure'> {
  const text = await readSmall(file)
  try {
    const scripts: unknown = (JSON.parse(text ?? '') as { scripts?: unknown }).scripts
    if (typeof scripts !== 'object' || scripts === null || !Object.hasOwn(scripts, name)) return 'unsure'
    const chosen = [`pre${name}`, name, `post${name}`].map(each => (scripts as Record<string, unknown>)[each] ?? null)
    return { what: `${shown(file, root)}: scripts.${name}`, hash: hashOf(JSON.stringify(chosen)) }
  } catch {
    return 'unsure'
  }
}

async function ofFile(file: string, root: string): Promise<Bound | 'unsure'> {
  const text = await readSmall(file)
  return text === null ? 'unsure' : { what: shown(file, root), hash: hashOf(text) }
}

/** Whether what a rule is bound to is as it was: null, or words for a person. */
export async function changedSince({ what, hash }: Bound, root: string): Promise<string | null> {
  const [, path = '', script] = /^(.*?)(?:: scripts\.(.+))?$/s.exec(what) ?? []
  const file = resolve(root, path)
  const now = script === undefined ? await ofFile(file, root) : await ofScript(file, script, root)
  if (now === 'unsure') return `${what} is not there any more.`
  return now.hash === hash ? null : `${what} was changed since: it asks again.`
}

const shown = (file: string, root: string): string => relative(root, file).split(sep).join('/')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

async function readSmall(file: string): Promise<string | null> {
  try {
    return (await stat(file)).size > MAX_BYTES ? null : await readFile(file, 'utf8')
  } catch {
    return null
  }
}

async function firstOf(folder: string, names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const file = join(folder, name)
    if ((await stat(file).catch(() => null))?.isFile()) return file
  }
  return null
}

async function upward(folder: string, names: readonly string[]): Promise<string | null> {
  for (let at = folder, i = 0; i < 50; i++) {
    const found = await firstOf(at, names)
    if (found !== null) return found
    const above = dirname(at)
    if (above === at) return null
    at = above
  }
  return null
}
