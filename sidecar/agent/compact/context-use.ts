/** What fills the context of a session's next request, by what it is for. Pure but for reading blobs. */
import type { ContextUse } from '#contract/context-use'
import type { Told } from '../context.ts'
import type { Model, ModelRequest, SessionPort, Surroundings } from '../ports.ts'
import { systemPrompt } from '../prompt.ts'
import { standingOf } from '../standing.ts'
import { summaryNote } from '../told-less.ts'
import { type CompactionPolicy, ownTail } from './compactor.ts'
import { createMeasure, messagesOf } from './measure.ts'
import { foldOf } from './plan.ts'
import { tokensOf, tokensOfAll, tokensOfPrefix } from './size.ts'

export interface ContextUseOptions {
  readonly session: SessionPort
  readonly place: Surroundings
  readonly tools: ModelRequest['tools']
  readonly model: Model
  /** `<provider>/<model id>` */
  readonly name: string
  readonly policy: CompactionPolicy
}

export async function contextUse({
  session,
  place,
  tools,
  model,
  name,
  policy,
}: ContextUseOptions): Promise<ContextUse> {
  const { state } = session
  const system = systemPrompt(place)
  const measure = createMeasure(session, tokensOfPrefix({ system, tools }))
  const { told, tokens } = await measure.of(state)
  const notes = standingOf(state).items.find(item => item.kind === 'compaction')
  const guessed = {
    instructions: tokensOf(system) - tokensOf(systemPrompt({ ...place, instructions: [], own: '', memories: [] })),
    tools: tokensOf(JSON.stringify(tools)),
    notes: notes?.kind === 'compaction' ? tokensOf(summaryNote(notes)) : 0,
    results: sizeOf(told, 'tool'),
  }
  const scaled = (guess: number) => Math.round(guess * measure.ratio)
  const parts = {
    system: scaled(tokensOf(system) - guessed.instructions),
    instructions: scaled(guessed.instructions),
    tools: scaled(guessed.tools),
    notes: scaled(guessed.notes),
    results: scaled(guessed.results),
  }
  const windowTokens = model.contextTokens(name)
  return {
    model: name,
    windowTokens,
    compactAtTokens: windowTokens === null ? null : Math.floor(windowTokens * policy.share),
    tokens,
    measured: state.facts.contextTokens !== null,
    // What is left, so that the parts are the whole.
    parts: { ...parts, messages: Math.max(0, tokens - Object.values(parts).reduce((sum, part) => sum + part, 0)) },
    messages: told.length,
    foldable: foldOf(state, told, ownTail(tokens / measure.ratio)) !== null,
  }
}

const sizeOf = (told: readonly Told[], role: 'tool'): number =>
  tokensOfAll(messagesOf(told).filter(message => message.role === role))
