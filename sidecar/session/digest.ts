/** What the list of sessions shows and searches, kept up event by event: small, and only a copy of what the log says. */
import { z } from 'zod'
import { pathKey } from '#contract/path'
import type { FileWrite, SessionEvent, Usage } from '#contract/session-event'
import type { Item, SessionFacts } from '#contract/session-state'
import { Changed } from '#contract/session-tree'

const PREVIEW_CHARS = 200
const TITLE_CHARS = 60
/** Of all prompts together; beyond it a search reads the log. */
const PROMPT_CHARS = 20_000
const WRITTEN_PATHS = 2000

/** What one model took of one session on one day. */
export const Spent = z.object({
  /** `2026-11-30` by this machine's clock. */
  day: z.string(),
  model: z.string(),
  turns: z.number(),
  /** Tokens; `input` without the cached ones. */
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** US dollars of what has a known price. */
  cost: z.number(),
  /** Turns whose price or usage nobody knows. */
  unpriced: z.number(),
})
export type Spent = z.infer<typeof Spent>

export const Digest = z.object({
  createdAt: z.number(),
  changedAt: z.number(),
  /** `seq` of the last `turn.ended`, 0 before it. */
  endedSeq: z.number(),
  turns: z.number(),
  preview: z.string(),
  prompts: z.string(),
  /** Whether `prompts` does not hold all of them. */
  promptsCut: z.boolean(),
  /** Asks without an answer. */
  asking: z.array(z.string()),
  running: z.boolean(),
  /** The model of the last turn that began. */
  model: z.string(),
  spent: z.array(Spent),
  /** What its agents wrote: each path once (`pathKey`), as far as there is room, and their lines. */
  written: z.array(z.string()),
  changed: Changed,
})
export type Digest = z.infer<typeof Digest>

export const emptyDigest: Digest = {
  createdAt: 0,
  changedAt: 0,
  endedSeq: 0,
  turns: 0,
  preview: '',
  prompts: '',
  promptsCut: false,
  asking: [],
  running: false,
  model: '',
  spent: [],
  written: [],
  changed: { files: 0, added: 0, removed: 0 },
}

/** Pure. */
export function digest(known: Digest, event: SessionEvent): Digest {
  return { ...known, ...said(known, event), changedAt: Math.max(known.changedAt, event.at) }
}

function said(known: Digest, event: SessionEvent): Partial<Digest> {
  switch (event.type) {
    case 'session.created':
      return { createdAt: event.at }
    case 'turn.started':
      return { turns: known.turns + 1, running: true, model: event.producer.model }
    case 'turn.ended':
      return {
        endedSeq: event.seq,
        running: false,
        asking: [],
        spent: withSpent(known.spent, event.at, { ...event, model: event.answeredBy ?? known.model, turns: 1 }),
      }
    case 'session.titled':
    case 'context.compacted':
      return event.asked ? { spent: withSpent(known.spent, event.at, { ...event.asked, turns: 0 }) } : {}
    case 'message.added':
      return event.role === 'user' && event.origin !== 'compaction' ? withPrompt(known, event.text) : {}
    case 'tool.ended':
    case 'tool.wrote':
      return event.files.length > 0 ? withWritten(known, event.files) : {}
    case 'permission.asked':
      return { asking: [...known.asking, event.batchId] }
    case 'question.asked':
    case 'plan.proposed':
      return { asking: [...known.asking, event.askId] }
    case 'permission.answered':
      return { asking: known.asking.filter(id => id !== event.batchId) }
    case 'question.answered':
    case 'plan.decided':
      return { asking: known.asking.filter(id => id !== event.askId) }
    default:
      return {}
  }
}

/** Of a session that begins with these: their words can be found; what was spent and written was another's. */
export function digestOfItems(items: readonly Item[]): Digest {
  const known = { ...emptyDigest, turns: new Set(items.map(item => item.turnId)).size }
  for (const item of items)
    if (item.kind === 'message' && item.role === 'user' && item.origin !== 'compaction')
      Object.assign(known, withPrompt(known, item.text))
  return known
}

/** Beyond the paths that there is room for, every write counts as a file of its own. */
function withWritten({ written, changed }: Digest, files: readonly FileWrite[]): Partial<Digest> {
  const known = new Set(written)
  const fresh = [...new Set(files.map(file => pathKey(file.path)))].filter(key => !known.has(key))
  const sum = (pick: (file: FileWrite) => number) => files.reduce((total, file) => total + pick(file), 0)
  return {
    written: [...written, ...fresh].slice(0, WRITTEN_PATHS),
    changed: {
      files: changed.files + fresh.length,
      added: changed.added + sum(file => file.added),
      removed: changed.removed + sum(file => file.removed),
    },
  }
}

function withSpent(
  known: readonly Spent[],
  at: number,
  { model, turns, usage, cost }: { model: string; turns: number; usage: Usage; cost: number | null },
): Spent[] {
  const day = dayOf(at)
  const i = known.findIndex(each => each.day === day && each.model === model)
  const { turns: before, ...sum } = known[i] ?? { ...nothingSpent, day, model }
  const next: Spent = {
    ...sum,
    turns: before + turns,
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheWrite: sum.cacheWrite + usage.cacheWrite,
    cost: sum.cost + (cost ?? 0),
    unpriced: sum.unpriced + (cost === null ? turns : 0),
  }
  return i < 0 ? [...known, next] : known.with(i, next)
}

const nothingSpent = { turns: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, unpriced: 0 }

/** The day of `at` (ms since 1970) by this machine's clock. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const two = (part: number) => String(part).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function withPrompt({ preview, prompts, promptsCut }: Digest, text: string): Partial<Digest> {
  if (promptsCut) return {}
  const all = prompts === '' ? text : `${prompts}\n${text}`
  return {
    preview: preview === '' ? cut(text.trim(), PREVIEW_CHARS) : preview,
    prompts: cut(all, PROMPT_CHARS),
    promptsCut: all.length > PROMPT_CHARS,
  }
}

/** The given title, else the first line of the first prompt, else nothing: the window names an empty one. */
export const titleOf = (facts: Pick<SessionFacts, 'title'>, { preview }: Digest): string =>
  facts.title ?? cut(preview.split('\n', 1)[0] ?? '', TITLE_CHARS)

export const stateOf = ({ asking, running }: Digest): 'idle' | 'running' | 'asking' =>
  asking.length > 0 ? 'asking' : running ? 'running' : 'idle'

/** At most `chars` units, never half a surrogate pair. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text
  const last = text.charCodeAt(chars - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? chars - 1 : chars)
}
