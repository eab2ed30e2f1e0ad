/** What the list of sessions shows and searches, kept up event by event: small, and only a copy of what the log says. */
import { z } from 'zod'
import type { SessionEvent } from '#contract/session-event'
import type { SessionFacts } from '#contract/session-state'

const PREVIEW_CHARS = 200
const TITLE_CHARS = 60
/** Of all prompts together; beyond it a search reads the log. */
const PROMPT_CHARS = 20_000

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
      return { turns: known.turns + 1, running: true }
    case 'turn.ended':
      return { endedSeq: event.seq, running: false, asking: [] }
    case 'message.added':
      return event.role === 'user' && event.origin !== 'compaction' ? withPrompt(known, event.text) : {}
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
