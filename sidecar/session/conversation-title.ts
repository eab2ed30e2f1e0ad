/** A title by a model: after the first turn alone, while somebody looks on; one of the person's own stays. */
import type { RunFlags } from '#contract/session'
import type { Usage } from '#contract/session-event'
import { pay } from '../agent/budget.ts'
import type { Log } from '../base/log.ts'
import { titleFrom } from './conversation-parts.ts'
import type { OpenSession } from './store.ts'

/** Names a conversation after its first turn; null: nobody can. `asked` is what it took, also without a title. */
export type Entitle = (
  words: { model: string; prompt: string; answer: string },
  signal: AbortSignal,
) => Promise<{ title: string | null; asked: { model: string; usage: Usage; cost: number | null } } | null>

interface Entitled {
  readonly open: OpenSession
  readonly entitle?: Entitle | undefined
  readonly log: Log
  attended(): boolean
  flags(): RunFlags | null
}

/** Never rejects: without a title the first words are it. */
export async function entitleFirst(
  { open, entitle, log, attended, flags }: Entitled,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const { facts, turns, path, items } = open.state
  if (!entitle || turns.size !== 1 || facts.title === null || !attended()) return
  const said = path.flatMap(id => {
    const item = items.get(id)
    return item?.kind === 'message' ? [item] : []
  })
  const prompt = said.find(({ role }) => role === 'user')?.text ?? ''
  const answer = said.findLast(({ role }) => role === 'assistant')?.text ?? ''
  const first = titleFrom(prompt)
  if (first === null || facts.title !== first) return
  try {
    const named = await entitle({ model, prompt, answer }, signal)
    pay(flags(), named?.asked.cost ?? null)
    if (!named || signal.aborted) return
    const title = open.state.facts.title === first ? (named.title ?? first) : (open.state.facts.title ?? first)
    await open.append({ type: 'session.titled', title, by: 'agent', asked: named.asked })
  } catch (fault) {
    log('info', 'a session got no title', { sessionId: open.sessionId, fault: String(fault) })
  }
}
