/** The guide as a `Model`: not an AI and it says so; deterministic, on the real loop with the real tools. */
import type { ChatEventDraft } from '#contract/chat-event'
import { noUsage } from '#contract/session-fold'
import type { Model, ModelRequest } from '../../agent/ports.ts'
import { respond } from '../response.ts'
import { type Intent, intentOf, languageOf } from './intent.ts'
import { nextStep } from './plan.ts'
import { callsIn, type Seen, turnOf } from './seen.ts'
import type { Step } from './situation.ts'
import { wordsIn } from './words.ts'

/** Steps after which a turn ends whatever is still open: no intent needs as many. */
const MOST_STEPS = 12
/** UTF-16 units of one delta: small enough to look like speech, large enough to cost nothing. */
const DELTA_CHARS = 24

export function createGuide(): Model {
  return {
    stream: (request, signal) => respond(speak(request), signal),
    cost: () => 0,
    contextTokens: () => null,
  }
}

async function* speak(request: ModelRequest): AsyncGenerator<ChatEventDraft> {
  const step = stepFor(request)
  for (const text of pieces(step.say)) yield { type: 'TEXT_DELTA', text }
  for (const [index, { tool, arguments: args }] of (step.calls ?? []).entries()) {
    const toolCall = { id: null, name: tool, arguments: JSON.stringify(args) }
    yield { type: 'TOOL_CALL_START', index, toolCall: { ...toolCall, arguments: '' } }
    yield { type: 'TOOL_CALL_ARGS_DELTA', index, text: toolCall.arguments }
    yield { type: 'TOOL_CALL_END', index, toolCall }
  }
  yield { type: 'USAGE', usage: noUsage }
  yield { type: 'STEP_END', finish: step.calls ? 'tool' : 'stop' }
}

function stepFor(request: ModelRequest): Step {
  const { words: asked, seen, before } = turnOf(request.messages)
  const words = wordsIn(languageOf(asked))
  const intent: Intent = intentOf(asked)
  if (seen.length >= MOST_STEPS) return { say: words.failed('...') }
  return nextStep(intent, { seen, writes: standingWrites(callsIn(before)), words })
}

/** Writes that were done and not taken back since: an undo is itself an edit backwards or an `rm` of the file. */
function standingWrites(calls: readonly Seen[]): Seen[] {
  const standing: Seen[] = []
  for (const each of calls) {
    if (each.failed) continue
    const last = standing.at(-1)
    if (each.tool === 'edit' && last?.tool === 'edit' && isReverse(last, each)) standing.pop()
    else if (each.tool === 'bash' && last?.tool === 'write' && String(each.arguments.command).startsWith('rm -- '))
      standing.pop()
    else if (each.tool === 'edit' || each.tool === 'write') standing.push(each)
  }
  return standing
}

function isReverse(edit: Seen, back: Seen): boolean {
  const swapped = (each: Seen, turn: boolean) =>
    JSON.stringify(
      (each.arguments.edits as { old: string; new: string }[]).map(({ old, new: wish }) =>
        turn ? [wish, old] : [old, wish],
      ),
    )
  return edit.arguments.path === back.arguments.path && swapped(edit, true) === swapped(back, false)
}

function* pieces(text: string): Generator<string> {
  const points = Array.from(text)
  for (let at = 0; at < points.length; at += DELTA_CHARS) yield points.slice(at, at + DELTA_CHARS).join('')
}
