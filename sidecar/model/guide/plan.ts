/**
 * What the guide does next: from the intent and what it has seen in this turn, either more tool calls or its last words.
 * Pure, so that a turn replays the same; every sentence rests on a result in `seen`.
 */
import { fileIn } from './file-in.ts'
import type { Intent } from './intent.ts'
import { outlineOf } from './outline.ts'
import { namesIn, readLinesOf, type Seen } from './seen.ts'
import type { Call, Situation, Step } from './situation.ts'
import { code, link, type Words } from './words.ts'

const call = (tool: string, args: Record<string, unknown>): Call => ({ tool, arguments: args })
const firstLine = (text: string): string => text.split('\n')[0] ?? ''
/** The result of the n-th call of a tool in this turn. */
const nth = (seen: readonly Seen[], tool: string, n = 0): Seen | undefined => seen.filter(each => each.tool === tool)[n]

export function nextStep(intent: Intent, situation: Situation): Step {
  const { words } = situation
  switch (intent.kind) {
    case 'addModel':
      return { say: words.addModel }
    case 'abilities':
      return { say: words.abilities }
    case 'hello':
    case 'unknown':
      return suggest(intent.kind, situation)
    case 'tour':
      return tour(situation)
    case 'inside':
      return inside(intent.folder, situation)
    case 'find':
      return find(intent.what, situation)
    case 'open':
    case 'explain':
      return intent.what === '' ? suggest('unknown', situation) : look(intent.kind, intent.what, situation)
    case 'run':
      return run(intent.command, situation)
    case 'tests':
      return tests(situation)
    case 'replace':
      return replace(intent, situation)
    case 'create':
      return create(intent.file, intent.content, situation)
    case 'changes':
      return changes(situation)
    case 'undo':
      return undo(situation)
  }
}

/** What is no content of anybody's folder, as in the explorer: a word for nothing, and git's own. */
const unnamed = new Set(['(empty)', '.git/'])

/** `list` of the top, split into folders and files; null until it was seen. */
function top(seen: readonly Seen[]): { folders: string[]; files: string[] } | null {
  const listed = nth(seen, 'list')
  if (!listed) return null
  const names = listed.failed ? [] : namesIn(listed.text).filter(name => !unnamed.has(name))
  return { folders: names.filter(name => name.endsWith('/')), files: names.filter(name => !name.endsWith('/')) }
}

function suggest(kind: 'hello' | 'unknown', { seen, words }: Situation): Step {
  const here = top(seen)
  if (!here) return { say: '', calls: [call('list', { path: '.' })] }
  const manifest = nth(seen, 'read')
  if (!manifest && here.files.includes('package.json'))
    return { say: '', calls: [call('read', { path: 'package.json' })] }
  const { examples } = words
  const scripts = scriptsOf(manifest)
  const file = here.files.find(name => /^readme/i.test(name)) ?? here.files.find(name => /\.\w+$/.test(name))
  const folder = here.folders.find(name => !name.startsWith('.') && name !== 'node_modules/')
  const wishes = [
    examples.tour,
    ...(file ? [examples.explain(file)] : []),
    ...(scripts.includes('test')
      ? [examples.run('npm test')]
      : scripts[0]
        ? [examples.run(`npm run ${scripts[0]}`)]
        : []),
    ...(folder ? [examples.inside(folder.slice(0, -1))] : []),
    examples.create,
  ]
  return { say: words[kind](wishes.slice(0, 3).map(code)) }
}

function scriptsOf(manifest: Seen | undefined): string[] {
  const { scripts } = manifestOf(manifest)
  return typeof scripts === 'object' && scripts !== null ? Object.keys(scripts) : []
}

function manifestOf(manifest: Seen | undefined): Record<string, unknown> {
  if (!manifest || manifest.failed) return {}
  const text = readLinesOf(manifest.text).join('\n')
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return wholeFieldsOf(text)
  }
}

/** Of a long manifest only the first part is read: what stands in it as a whole line of the top level still counts. */
const wholeFieldsOf = (text: string): Record<string, unknown> =>
  Object.fromEntries(
    [...text.matchAll(/^(?: {2}| {4}|\t)"(name|description)": ("(?:[^"\\\n]|\\.)*")/gm)]
      .reverse()
      .map(([, field, value]) => [field, JSON.parse(value ?? '""') as unknown]),
  )

function tour({ seen, words }: Situation): Step {
  const here = top(seen)
  if (!here) return { say: words.looking, calls: [call('list', { path: '.' })] }
  const readme = here.files.find(name => /^readme(\.|$)/i.test(name))
  const wanted = [...(here.files.includes('package.json') ? ['package.json'] : []), ...(readme ? [readme] : [])]
  const reads = seen.filter(each => each.tool === 'read')
  if (wanted.length > 0 && reads.length === 0) return { say: '', calls: wanted.map(path => call('read', { path })) }
  const manifest = manifestOf(reads.find(each => each.arguments.path === 'package.json'))
  const text = reads.find(each => each.arguments.path === readme)
  const lines = text && !text.failed ? readLinesOf(text.text) : []
  const title = lines.find(line => /^#\s+/.test(line))?.replace(/^#\s+/, '')
  const paragraph = lines.find(line => /^[^#\s<>![\]|`*-]/.test(line)) ?? ''
  const name = typeof manifest.name === 'string' ? manifest.name : (title ?? '.')
  const about = typeof manifest.description === 'string' ? manifest.description : paragraph.slice(0, 300)
  const scripts = scriptsOf(reads.find(each => each.arguments.path === 'package.json')).map(
    script => `npm run ${script}`,
  )
  return { say: words.tour({ name, about, ...here, scripts, readme: readme ?? '' }) }
}

function inside(folder: string, { seen, words }: Situation): Step {
  const listed = nth(seen, 'list')
  if (!listed) return { say: '', calls: [call('list', { path: folder })] }
  if (listed.failed) return { say: words.noFolder(folder, firstLine(listed.text)) }
  const here = top(seen) ?? { folders: [], files: [] }
  return { say: words.inside(folder, here.folders, here.files) }
}

function find(what: string, { seen, words }: Situation): Step {
  const grep = nth(seen, 'grep')
  const glob = nth(seen, 'glob')
  if (!grep || !glob)
    return {
      say: words.searching(what),
      calls: [
        call('grep', { pattern: what.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') }),
        call('glob', { pattern: `**/*${what.replace(/[[\]{}*?!\\/]/g, '?')}*` }),
      ],
    }
  const lines = grep.failed || /^No match/.test(grep.text) ? [] : namesIn(grep.text)
  const files = glob.failed || /^No file/.test(glob.text) ? [] : namesIn(glob.text).slice(0, 10)
  const matches = lines.slice(0, 15).map(line => {
    const place = /^(.*?):(\d+): (.*)$/.exec(line)
    return place
      ? `${link(place[1] ?? '', Number(place[2]))} ${code((place[3] ?? '').trim().slice(0, 120) || ' ')}`
      : code(line)
  })
  return { say: words.found(what, matches, files, lines.length > matches.length) }
}

function look(kind: 'open' | 'explain', what: string, situation: Situation): Step {
  const { seen, words } = situation
  const found = fileIn(what, situation)
  if ('step' in found) return found.step
  const read = seen.find(each => each.tool === 'read' && each.arguments.path === found.file)
  if (!read) return { say: words.reading(found.file), calls: [call('read', { path: found.file })] }
  if (read.failed) return { say: words.failed(firstLine(read.text)) }
  const lines = readLinesOf(read.text)
  const more = /\(More follows\./.test(read.text)
  if (kind === 'open') return { say: words.opened(found.file, lines.length, more) }
  return { say: words.explained(found.file, lines.length, outlineOf(found.file, lines), more) }
}

function run(command: string, { seen, words }: Situation): Step {
  const ran = nth(seen, 'bash')
  if (!ran) return { say: words.running(command), calls: [call('bash', { command })] }
  return { say: reportOf(command, ran, words) }
}

/** A result without an exit code never started: it was denied or could not be. */
function reportOf(command: string, ran: Seen, words: Words): string {
  const output = ran.text.split('\n').slice(-40).join('\n')
  if (!ran.failed) return words.ran(command, output)
  return /Exit code|Ended (by|after)/.test(ran.text)
    ? words.ranBadly(command, output)
    : words.refusedByYou(firstLine(ran.text))
}

function tests(situation: Situation): Step {
  const { seen, words } = situation
  const here = top(seen)
  if (!here) return { say: words.looking, calls: [call('list', { path: '.' })] }
  const has = (name: string) => here.files.includes(name)
  const manifest = nth(seen, 'read')
  if (has('package.json') && !manifest) return { say: '', calls: [call('read', { path: 'package.json' })] }
  const command = scriptsOf(manifest).includes('test')
    ? 'npm test'
    : has('Cargo.toml')
      ? 'cargo test'
      : has('go.mod')
        ? 'go test ./...'
        : has('pyproject.toml')
          ? 'python -m pytest'
          : has('Makefile')
            ? 'make test'
            : null
  return command === null ? { say: words.noTests } : run(command, situation)
}

function replace({ old, wish, file }: { old: string; wish: string; file: string }, situation: Situation): Step {
  const { seen, words } = situation
  const found = fileIn(file, situation)
  if ('step' in found) return found.step
  const read = seen.find(each => each.tool === 'read' && each.arguments.path === found.file)
  if (!read) return { say: words.reading(found.file), calls: [call('read', { path: found.file, limit: 10_000 })] }
  if (read.failed) return { say: words.failed(firstLine(read.text)) }
  const edited = nth(seen, 'edit')
  if (edited)
    return { say: edited.failed ? words.refusedByYou(firstLine(edited.text)) : words.edited(found.file, edited.text) }
  const count = readLinesOf(read.text).join('\n').split(old).length - 1
  if (count === 0) return { say: words.absent(old, found.file) }
  return {
    say: words.editing(found.file, count),
    calls: [call('edit', { path: found.file, edits: [{ old, new: wish, all: true }] })],
  }
}

function create(file: string, content: string | null, { seen, words }: Situation): Step {
  const written = nth(seen, 'write')
  if (!written) {
    const text = content === null ? '' : content.endsWith('\n') ? content : `${content}\n`
    return { say: words.creating(file), calls: [call('write', { path: file, content: text })] }
  }
  return { say: written.failed ? words.refusedByYou(firstLine(written.text)) : words.created(file) }
}

function changes({ seen, writes, words }: Situation): Step {
  const status = nth(seen, 'bash')
  if (!status)
    return { say: words.running('git status --short'), calls: [call('bash', { command: 'git status --short' })] }
  if (status.failed) {
    if (!/not a git repository/i.test(status.text)) return { say: words.refusedByYou(firstLine(status.text)) }
    return { say: words.noGit([...new Set(writes.map(write => String(write.arguments.path)))]) }
  }
  if (status.text === '(no output)') return { say: words.noChanges }
  const diff = nth(seen, 'bash', 1)
  if (!diff) return { say: '', calls: [call('bash', { command: 'git diff' })] }
  return {
    say: words.changes(
      status.text,
      diff.failed || diff.text === '(no output)' ? '' : diff.text.split('\n').slice(0, 200).join('\n'),
    ),
  }
}

/** The guide's own changes are simple enough to turn round: an edit backwards, a created file removed. */
function undo({ seen, writes, words }: Situation): Step {
  const last = writes.at(-1)
  if (!last) return { say: words.nothingToUndo }
  const path = String(last.arguments.path)
  const done = nth(seen, 'edit') ?? nth(seen, 'bash')
  if (done) return { say: done.failed ? words.refusedByYou(firstLine(done.text)) : words.undone(path) }
  if (last.tool === 'write') {
    const command = `rm -- '${path.replaceAll("'", `'\\''`)}'`
    return { say: words.undoing(path), calls: [call('bash', { command })] }
  }
  if (!nth(seen, 'read')) return { say: words.undoing(path), calls: [call('read', { path, limit: 10_000 })] }
  const edits = (last.arguments.edits as { old: string; new: string; all?: boolean }[]).map(
    ({ old, new: wish, all }) => ({
      old: wish,
      new: old,
      all,
    }),
  )
  return { say: '', calls: [call('edit', { path, edits })] }
}
