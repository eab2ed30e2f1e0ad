/** What would say something else once files are moved, as servers know it: imports, mostly. Nothing is changed here. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError, toFault } from '#contract/error'
import type { EditStep, FollowingText, WorkspaceEdit } from '#contract/language-edit'
import { type Move, pathKey } from '#contract/path'
import { limited } from '../../base/limited.ts'
import { languageOf } from '../definition.ts'
import type { Fleet } from '../fleet.ts'
import { matchesGlob } from '../glob.ts'
import { uriOf } from '../open-documents.ts'
import type { LanguageWorkspace } from '../ports.ts'
import { indexText } from '../position.ts'
import { arrayOf, objectOf } from '../registrations.ts'
import type { Server } from '../server.ts'
import { textAt } from '../synced-text.ts'
import { refused } from './refused.ts'
import { workspaceEditFrom } from './workspace-edit.ts'

/** One that really moves: a link would, and what it leads to would not. */
interface Moved {
  readonly from: string
  readonly to: string
  readonly folder: boolean
  /** Itself, or some of what it holds. */
  readonly files: readonly string[]
}

interface MovingOptions {
  readonly workspace: LanguageWorkspace
  readonly fleet: Fleet
  readonly signal: AbortSignal
}

const METHOD = 'workspace/willRenameFiles'
/** A person waits for their file to get its name. */
const LIMIT_MS = 4000
const MOST_MOVES = 200
/** Of a folder: as many entries are looked at for files of a server, and as many of these are shown to it. */
const MOST_ENTRIES = 1000
const MOST_SHOWN = 3
const AROUND_CHARS = 200

/** Rejects only with the signal. */
export async function following(
  moves: readonly Move[],
  { workspace, fleet, signal }: MovingOptions,
): Promise<{ texts: FollowingText[]; note: string | null }> {
  const limit = limited(signal, LIMIT_MS)
  const notes: string[] = []
  const byPath = new Map<string, FollowingText>()
  try {
    const moved = (await Promise.all(moves.slice(0, MOST_MOVES).map(each => movedFrom(each, workspace)))).flat()
    const servers = moved.length > 0 ? await able(moved, fleet) : []
    const answers = await Promise.allSettled(
      servers.map(server => before(limit, server, askOne(server, moved, { workspace, fleet, signal: limit }))),
    )
    for (const answer of answers) {
      if (answer.status === 'rejected') notes.push(toFault(answer.reason).message)
      else for (const each of answer.value) if (!byPath.has(pathKey(each.path))) byPath.set(pathKey(each.path), each)
    }
  } catch (fault) {
    notes.push(toFault(fault).message)
  }
  signal.throwIfAborted()
  return { texts: [...byPath.values()], note: notes[0] ?? null }
}

async function movedFrom({ from, to }: Move, { info, paths }: LanguageWorkspace): Promise<Moved[]> {
  const [old, fresh] = [from, to].map(({ rootId, path }) => {
    const root = info.roots.find(each => each.rootId === rootId)
    return root && join(root.absolute, ...path.split('/'))
  })
  const real = await paths.toAbsolute(from).catch(() => null)
  if (old === undefined || fresh === undefined || real !== old) return []
  const facts = await stat(old).catch(() => null)
  if (!facts) return []
  const folder = facts.isDirectory()
  return [{ from: old, to: fresh, folder, files: folder ? await filesBelow(old) : [old] }]
}

/** The nearest ones first. */
async function filesBelow(top: string): Promise<string[]> {
  const files: string[] = []
  const folders = [top]
  let looked = 0
  for (let folder = folders.shift(); folder !== undefined && looked < MOST_ENTRIES; folder = folders.shift()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      looked += 1
      if (entry.isFile()) files.push(join(folder, entry.name))
      else if (entry.isDirectory() && entry.name !== 'node_modules') folders.push(join(folder, entry.name))
    }
  }
  return files
}

/** Those that run, and those that are worth starting. */
async function able(moved: readonly Moved[], fleet: Fleet): Promise<Server[]> {
  const running = fleet.all().filter(server => server.running() !== null)
  const files = moved.flatMap(each => each.files)
  const serving = await Promise.all(files.slice(0, MOST_ENTRIES).map(file => fleet.serving(file, 'ask')))
  const worth = serving.flat().filter(({ definition }) => definition.followsMoves)
  return [...new Set([...running, ...worth])]
}

async function askOne(
  server: Server,
  moved: readonly Moved[],
  { workspace, fleet, signal }: MovingOptions,
): Promise<FollowingText[]> {
  const client = await server.client()
  if (!client) return []
  await client.ready
  const filters = client.providers(METHOD).flatMap(({ options }) => arrayOf(options.filters))
  const told = moved.flatMap(each => asWanted(filters, each))
  if (told.length === 0) return []
  // What it has open tells it which projects there are.
  const served = await Promise.all(
    told
      .flatMap(each => each.files)
      .map(async file => ((await fleet.serving(file, 'ask')).includes(server) ? [file] : [])),
  )
  for (const absolute of served.flat().slice(0, MOST_SHOWN)) {
    const text = await textAt(workspace, absolute)
    const languageId = languageOf(server.definition, absolute)
    if (text) await client.documents.sync({ ...text, languageId, saved: false })
  }
  const files = told.map(({ from, to }) => ({ oldUri: uriOf(from), newUri: uriOf(to) }))
  const answer = await client
    .request(METHOD, { files }, { signal, timeoutMs: null })
    .catch(refused(server.definition.name))
  return textsIn(await workspaceEditFrom(answer, { client, workspace }), workspace)
}

/** A folder is told as its files to whom knows only files. */
function asWanted(filters: readonly unknown[], moved: Moved): Moved[] {
  if (wants(filters, moved)) return [moved]
  if (!moved.folder) return []
  const inside = moved.files.map(
    (file): Moved => ({ from: file, to: moved.to + file.slice(moved.from.length), folder: false, files: [file] }),
  )
  return inside.filter(each => wants(filters, each))
}

/** Whether a filter of the server names it. */
function wants(filters: readonly unknown[], { from, folder }: Pick<Moved, 'from' | 'folder'>): boolean {
  return filters.some(each => {
    const { scheme, pattern } = objectOf(each)
    const { glob, matches, options } = objectOf(pattern)
    if (typeof glob !== 'string' || (typeof scheme === 'string' && scheme !== 'file')) return false
    if (matches === 'file' ? folder : matches === 'folder' && !folder) return false
    const [given, name] =
      objectOf(options).ignoreCase === true ? [glob.toLowerCase(), from.toLowerCase()] : [glob, from]
    return matchesGlob(given, name)
  })
}

async function textsIn({ steps }: WorkspaceEdit, workspace: LanguageWorkspace): Promise<FollowingText[]> {
  const texts = await Promise.all(steps.map(step => (step.kind === 'text' ? textIn(step, workspace) : [])))
  return texts.flat()
}

async function textIn(
  { path, version, edits }: Extract<EditStep, { kind: 'text' }>,
  workspace: LanguageWorkspace,
): Promise<FollowingText[]> {
  const now = await textAt(workspace, await workspace.paths.toAbsolute(path))
  if (!now || (now.of?.version ?? null) !== version) return []
  const { text: all } = now
  const index = indexText(all)
  const places = edits.flatMap(({ range, text }) => {
    const [from, to] = [index.offsetOf(range.start, 'utf-16'), index.offsetOf(range.end, 'utf-16')]
    const was = all.slice(from, to)
    if (was === text) return []
    const lead =
      all
        .slice(Math.max(0, from - AROUND_CHARS), from)
        .split(/[\r\n]/)
        .at(-1) ?? ''
    const [trail = ''] = all.slice(to, to + AROUND_CHARS).split(/[\r\n]/)
    return [{ from, was, text, line: range.start.line + 1, lead, trail }]
  })
  return places.length > 0 ? [{ path, places }] : []
}

/** Rejects when the limit comes first; the server may go on. */
function before<T>(limit: AbortSignal, { definition }: Server, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new BelayError('timeout', `${definition.name} did not say in time what names this by its place.`))
    limit.addEventListener('abort', late, { once: true })
    if (limit.aborted) late()
    work.then(resolve, reject).finally(() => limit.removeEventListener('abort', late))
  })
}
