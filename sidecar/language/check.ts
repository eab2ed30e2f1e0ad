/**
 * The verdict on what was just written: the text goes to the servers, their answer is awaited within a budget, and what comes
 * later is told later. Nothing here rejects: a server can never fail a write.
 */
import { setMaxListeners } from 'node:events'
import { pathKey, type WirePath } from '#contract/path'
import type { LspVerdict } from '#contract/session-event'
import type { Client } from './client.ts'
import { languageOf } from './definition.ts'
import { diagnose, newsOf } from './diagnose.ts'
import { type Neighbours, neighboursOf } from './elsewhere.ts'
import type { Fleet } from './fleet.ts'
import type { OpenDocument } from './open-documents.ts'
import type { Server } from './server.ts'
import type { ServerText } from './synced-text.ts'
import { errorsIn, type FoundError, newErrors, unknownVerdict, verdictOf } from './verdict.ts'
import { within } from './within.ts'

export interface Checked {
  /** One for each file that a server covers, and those of other open files that have new errors. */
  readonly lsp: LspVerdict[]
  /** All of them again, once what was pending is known; null where nothing more was learnt. Absent: nothing is pending. */
  readonly late?: Promise<LspVerdict[] | null>
}

export interface WrittenFile {
  readonly path: WirePath
  readonly absolute: string
  /** Null: it is not there any more. */
  readonly text: ServerText | null
}

export interface CheckOptions {
  readonly fleet: Fleet
  readonly budgetMs: number
  /** Ends the waiting; what is known by then counts. */
  readonly signal: AbortSignal
  toWire(absolute: string): WirePath | null
}

/** More files than this are not looked at: a command that writes hundreds (an install, a checkout) is no edit. */
export const MOST_FILES = 20
/** How long a second word is listened for. */
const SECOND_MS = 60_000
/** After this nobody waits for an answer any more. */
const LATE_MS = 120_000

export async function check(files: readonly WrittenFile[], options: CheckOptions): Promise<Checked> {
  const { fleet, budgetMs, signal } = options
  const deadline = performance.now() + budgetMs
  const covered: { file: WrittenFile; servers: Server[] }[] = []
  for (const file of files) {
    if (file.text === null) continue
    const servers = await fleet.serving(file.absolute, 'check')
    if (servers.length > 0) covered.push({ file, servers })
  }
  const looked = covered.slice(0, MOST_FILES)
  if (looked.length === 0) return { lsp: [] }

  const later = AbortSignal.timeout(LATE_MS)
  // Every question listens to it.
  setMaxListeners(0, later, signal)
  const neighbours = neighboursOf(
    looked.flatMap(({ servers }) => servers),
    new Set(looked.map(({ file }) => file.absolute)),
  )
  const questions = looked.map(({ file, servers }) => servers.map(server => ask(server, file, later)))
  await untilSettled(questions, deadline, signal)
  const lsp = questions.map(each => conclude(each))
  const unseen = covered[MOST_FILES]
  if (unseen) lsp.push(unknownVerdict(unseen.file.path, 'none'))
  const elsewhere = await newErrorsOf(neighbours, { ...options, deadline })
  const all = [...lsp, ...elsewhere]
  const waiting = questions.some((each, at) => lsp[at]?.state === 'pending' && each.some(one => !one.settled))
  if (waiting) return { lsp: all, late: conclusionOf(questions, all) }
  const talkative = questions.flat().filter(({ server, answer }) => answer && server.definition.saysMoreLater)
  const slow = questions.flat().filter(({ server, settled }) => server.definition.extra && !settled)
  const more = [...talkative.map(otherErrors), ...slow.map(firstErrors)]
  return more.length > 0 ? { lsp: all, late: secondWord(more, questions, all) } : { lsp: all }
}

/** A question to one server about one file. */
interface Question {
  readonly server: Server
  readonly file: WrittenFile
  readonly answered: Promise<void>
  settled: boolean
  answer: { readonly errors: FoundError[]; readonly client: Client; readonly document: OpenDocument } | null
}

function ask(server: Server, file: WrittenFile, later: AbortSignal): Question {
  const question: Question = { server, file, settled: false, answer: null, answered: Promise.resolve() }
  const answered = (async () => {
    try {
      question.answer = await answerOf(server, file, later)
    } catch {
      // It is gone, or its connection is: the state of the server says so.
    } finally {
      question.settled = true
    }
  })()
  return Object.assign(question, { answered })
}

async function answerOf(
  server: Server,
  { absolute, text }: WrittenFile,
  later: AbortSignal,
): Promise<Question['answer']> {
  const client = await server.client()
  if (!client || text === null) return null
  const document = await client.documents.sync({
    ...text,
    languageId: languageOf(server.definition, absolute),
    saved: true,
  })
  const { version } = document
  const items = await diagnose(client, document, version, later)
  return items && { errors: errorsIn(items), client, document }
}

/** Errors of one server are errors, whatever the others still do; all must have spoken before a file is clean. */
function conclude(questions: readonly Question[]): LspVerdict {
  const [first] = questions as [Question]
  const { path } = first.file
  const answers = questions.flatMap(({ answer }) => answer ?? [])
  const needed = neededOf(questions)
  const found = answers.flatMap(({ errors, client, document }) =>
    verdictOf(path, errors, { index: document.index, encoding: client.encoding }),
  )
  const errors = found.filter(({ state }) => state === 'errors')
  if (errors.length > 0) return joined(path, errors)
  if (needed.every(({ answer }) => answer !== null)) return joined(path, found)
  const failed = needed.every(({ settled, answer, server }) => settled && answer === null && server.state !== 'ready')
  return unknownVerdict(path, failed ? 'none' : 'pending')
}

function joined(path: WirePath, verdicts: readonly LspVerdict[]): LspVerdict {
  const items = verdicts.flatMap(each => each.items)
  const errorCount = verdicts.reduce((sum, each) => sum + each.errorCount, 0)
  const state = errorCount > 0 ? 'errors' : 'clean'
  return { path, state, errorCount, truncated: verdicts.some(({ truncated }) => truncated), items }
}

/** Without these nothing is said of a file; those beside them are heard when they speak, unless there is nobody else. */
function neededOf(questions: readonly Question[]): readonly Question[] {
  const needed = questions.filter(({ server }) => !server.definition.extra)
  return needed.length > 0 ? needed : questions
}

async function untilSettled(
  questions: readonly (readonly Question[])[],
  deadline: number,
  signal: AbortSignal,
): Promise<void> {
  const all = Promise.all(questions.flatMap(neededOf).map(({ answered }) => answered))
  await within(all, deadline, signal)
}

async function conclusionOf(
  questions: readonly (readonly Question[])[],
  told: readonly LspVerdict[],
): Promise<LspVerdict[] | null> {
  await Promise.all(questions.flat().map(({ answered }) => answered))
  const now = questions.map(each => conclude(each))
  const byPath = new Map(now.map(each => [pathKey(each.path), each]))
  const learnt = told.some(each => each.state === 'pending' && byPath.get(pathKey(each.path))?.state !== 'pending')
  return learnt ? told.map(each => (each.state === 'pending' ? (byPath.get(pathKey(each.path)) ?? each) : each)) : null
}

/** What is said of the same text after it was concluded, once that is other errors. */
async function secondWord(
  more: readonly Promise<true>[],
  questions: readonly (readonly Question[])[],
  told: readonly LspVerdict[],
): Promise<LspVerdict[] | null> {
  const changed = await Promise.any(more).catch(() => false)
  if (!changed) return null
  const now = new Map(questions.map(each => [pathKey(each[0]?.file.path as WirePath), conclude(each)]))
  return told.map(each => now.get(pathKey(each.path)) ?? each)
}

/** Of one that was not waited for: rejects where it finds none. */
async function firstErrors(question: Question): Promise<true> {
  await question.answered
  if ((question.answer?.errors.length ?? 0) === 0) throw new Error('nothing more')
  return true
}

/** Resolves when the errors are others, which then are the answer; rejects when there is another text or nothing more came. */
async function otherErrors(question: Question): Promise<true> {
  const { answer } = question
  if (!answer) throw new Error('no answer')
  const { client, document, errors } = answer
  const { version } = document
  const later = AbortSignal.timeout(SECOND_MS)
  for (;;) {
    const items = await diagnose(client, document, version, later)
    if (!items) throw new Error('nothing more')
    const now = errorsIn(items)
    if (now.length !== errors.length || newErrors(errors, now).length > 0) {
      question.answer = { client, document, errors: now }
      return true
    }
    await newsOf(client, document, later)
  }
}

async function newErrorsOf(
  neighbours: Neighbours,
  { toWire, deadline, signal }: CheckOptions & { deadline: number },
): Promise<LspVerdict[]> {
  const found = await neighbours.newErrors(deadline, signal)
  return found.flatMap(({ document, client, errors }) => {
    const path = toWire(document.absolute)
    if (!path) return []
    return [verdictOf(path, errors, { index: document.index, encoding: client.encoding, most: MOST_ELSEWHERE })]
  })
}
const MOST_ELSEWHERE = 10
