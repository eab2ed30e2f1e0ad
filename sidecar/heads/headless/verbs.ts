/** What moves or mends a conversation itself, for faces of words: each does one thing and says what it did. Throw words for a person. */
import type { Client } from '#contract/client'
import type { RewindPart, RewindPreview } from '#contract/head'
import type { RequestId, SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { undoableMove } from '#contract/session-moves'
import type { SessionFacts } from '#contract/session-state'

export const newRequest = (): RequestId => crypto.randomUUID() as RequestId

type Verb = { readonly client: Client<BelayContract>; readonly sessionId: SessionId }

/** Of what follows `/rewind`. */
export function turnsIn(rest: string): number {
  const turns = rest === '' ? 1 : Number(rest)
  if (Number.isInteger(turns) && turns > 0) return turns
  throw new Error(`/rewind takes a number of turns; “${rest}” is none.`)
}

export const previewRewind = ({ client, sessionId }: Verb, turns: number): Promise<RewindPreview> =>
  client.head.preview({ sessionId, to: { turns } })

/** What a rewind would do, a line for each thing. */
export function wordsOfPreview({ leaves, files, commands, moreCommands }: RewindPreview): string {
  const turns = `${leaves.turns} ${leaves.turns === 1 ? 'turn goes' : 'turns go'}.`
  const lines = files.lines.map(
    ({ path, action, why }) => `  ${action === 'keep' ? `keep (${why})` : action} ${path.path}`,
  )
  const more = files.more > 0 ? [`  and ${files.more} more`] : []
  const unavailable = files.unavailable ? [files.unavailable] : []
  const ran = commands.map(({ command }) => `  not undone: ${command.split('\n', 1)[0]}`)
  const older = moreCommands > 0 ? [`  and ${moreCommands} older commands`] : []
  return [turns, ...lines, ...more, ...unavailable, ...ran, ...older].join('\n')
}

/** Answers the words that are free again. */
export async function rewind({ client, sessionId }: Verb, turns: number, what: RewindPart): Promise<string | null> {
  const { prompt } = await client.head.rewind({ sessionId, to: { turns }, what, requestId: newRequest() })
  return prompt?.text ?? null
}

export async function undo({ client, sessionId }: Verb, facts: SessionFacts): Promise<string> {
  const move = undoableMove(facts)
  if (!move) throw new Error('There is nothing to take back.')
  await client.head.undo({ sessionId, moveId: move.requestId })
  return 'As it was before.'
}

export async function compact({ client, sessionId }: Verb, focus: string): Promise<string> {
  const { outcome } = await client.session.compact({ sessionId, ...(focus === '' ? {} : { focus }) })
  if (outcome === 'compacted') return 'Earlier parts were made shorter. All of it can still be read.'
  if (outcome === 'next_step') return 'The running turn makes room before its next step.'
  return outcome === 'stopped' ? 'It was stopped; nothing was changed.' : 'There is nothing to make shorter.'
}

/**
 * Nothing goes to a provider before the person has seen where to, and said yes. Null: they have, or there is nothing to say yes
 * to; else the question, and what a yes does. `agreed`: a model that a command line named.
 */
export async function consentFor(
  client: Client<BelayContract>,
  model: string,
  agreed: string | null,
): Promise<{ provider: string; question: string; give(): Promise<unknown> } | null> {
  const { providers } = await client.model.list({ refresh: false })
  const found = providers.find(each => each.provider === model.split('/')[0])
  if (!found || found.consented || model === agreed) return null
  const { provider, label, baseUrl } = found
  const where = baseUrl ? `${label} (${baseUrl})` : label
  return {
    provider,
    question: `Send your words and files to ${where}?`,
    give: () => client.model.consent({ provider }),
  }
}
