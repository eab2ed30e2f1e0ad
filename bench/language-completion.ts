/**
 * Completions while the agent writes another file and waits for its verdict: Belay beside the raw server, of which the same is
 * asked. Answers are turned into JSON and back on both sides, as a wire does.
 */
import { setTimeout as after } from 'node:timers/promises'
import type { CallContext } from '#contract/define'
import { DocumentId } from '#contract/id'
import {
  belayLanguage,
  fileOf,
  MODULES,
  median,
  met,
  moduleText,
  p95,
  rawServer,
  workspace,
} from './language-project.ts'

const ROUNDS = 160
/** Between two keystrokes, and between the end of one write of the agent and the next. */
const TYPING_MS = 30
const WRITING_MS = 20

interface Typist {
  /** Types, so that the text is this, asks at its end, and answers how many completions there are. */
  complete(text: string, trigger: '.' | null): Promise<number>
  /** As the agent: writes that module and has the verdict. */
  write(round: number): Promise<void>
  end(): Promise<void>
}

const written = Math.floor(MODULES / 2)
const edited = fileOf(MODULES - 1)
const base = moduleText(MODULES - 1)
/** In turns the members of a thing, and any name there is. */
const textOf = (round: number): { text: string; trigger: '.' | null } =>
  round % 2 === 0
    ? { text: `${base}\nconst r${round} = 1\nmake${MODULES - 1}(1).`, trigger: '.' }
    : { text: `${base}\nconst r${round} = 1\nf`, trigger: null }
const endOf = (text: string) => {
  const lines = text.split('\n')
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}
const agentText = (round: number): string => `${moduleText(written)}\nexport const w: number = ${round}\n`

async function raw(): Promise<Typist> {
  const server = await rawServer()
  return {
    async complete(text, trigger) {
      await server.tell(edited, text)
      const context = trigger ? { triggerKind: 2, triggerCharacter: trigger } : { triggerKind: 1 }
      const answer = await server.ask('textDocument/completion', edited, { position: endOf(text), context })
      const list = JSON.parse(JSON.stringify(answer)) as { items: unknown[] }
      return list.items.length
    },
    async write(round) {
      await server.tell(fileOf(written), agentText(round))
      // The verdict, and what the change made of the file that is open beside it.
      for (const file of [fileOf(written), edited]) await server.ask('textDocument/diagnostic', file)
    },
    end: server.end,
  }
}

async function ours(): Promise<Typist> {
  const language = belayLanguage()
  const { workspaceId } = workspace.info
  const { documents, paths } = workspace
  const context: CallContext = { clientId: 'window', signal: new AbortController().signal }
  const path = paths.toWire(edited)
  const { wire } = await paths.resolve(fileOf(written))
  if (!path || !wire) throw new Error('the files are outside')
  const opened = await documents.handlers.open({ workspaceId, path }, context)
  const documentId = DocumentId.parse(opened.state.documentId)
  let { text: now } = opened
  let { version } = opened.state
  await language.handlers.features({ workspaceId, documentId }, context)
  return {
    async complete(text, trigger) {
      // What a person types is at the end.
      const from = now.startsWith(base) ? base.length : 0
      const changes = [{ from, to: now.length, text: text.slice(from) }]
      version = (await documents.handlers.change({ documentId, baseVersion: version, changes }, context)).version
      now = text
      const asked = { workspaceId, documentId, version, position: endOf(text) }
      const how = trigger ? { trigger: 'character' as const, character: trigger } : { trigger: 'invoked' as const }
      const answer = await language.handlers.completion({ ...asked, ...how }, context)
      const list = JSON.parse(JSON.stringify(answer)) as { items?: unknown[] }
      return list.items?.length ?? 0
    },
    async write(round) {
      const place = await paths.resolve(fileOf(written))
      await documents.agentEdit({ path: place, expect: 'any', make: () => agentText(round) })
      await language.check(workspaceId, [wire], context.signal)
    },
    async end() {
      await documents.handlers.revert({ documentId }, context)
      await documents.handlers.close({ documentId }, context)
      await language.dispose()
    },
  }
}

export async function completionsWhileWriting(): Promise<void> {
  const both = { raw: await raw(), ours: await ours() }
  const took = { raw: [] as number[], ours: [] as number[] }
  let round = 0
  for (const kind of kinds) {
    await both[kind].write(++round)
    for (const warm of [2, 3]) await both[kind].complete(textOf(warm).text, textOf(warm).trigger)
  }
  let typing = true
  const writing = (async () => {
    while (typing) {
      round += 1
      for (const kind of kinds) await both[kind].write(round)
      await after(WRITING_MS)
    }
  })()
  // In turns, so that what else the machine does meets both alike; who is first changes.
  for (let at = 0; at < ROUNDS; at++)
    for (const kind of at % 4 < 2 ? kinds : [...kinds].reverse()) {
      const { text, trigger } = textOf(2 * ++round + (at % 2))
      const began = performance.now()
      const count = await both[kind].complete(text, trigger)
      took[kind].push(performance.now() - began)
      if (count === 0) throw new Error(`${kind}: nothing to complete`)
      await after(TYPING_MS)
    }
  typing = false
  await writing
  await Promise.all([both.raw.end(), both.ours.end()])
  const [theirs, own] = [p95(took.raw), p95(took.ours)]
  console.log(
    `completion while the agent writes: p95 of ${ROUNDS} ${theirs.toFixed(1)} ms, ${own.toFixed(1)} ms (bar raw + 15: ${met(own <= theirs + 15)}); medians ${median(took.raw).toFixed(1)} ms, ${median(took.ours).toFixed(1)} ms`,
  )
}

const kinds = ['raw', 'ours'] as const
