/** What the rules say of a second thing that one call does: an answer that came back, an address that only a rule opens. */
import type { CallId } from '#contract/id'
import type { StepPlace } from './blocks.ts'
import { askAlone, authorityOf, groundOf, type JudgeDeps } from './judge.ts'
import type { Action, ActionRequest, Authority, Decision, ToolContext } from './ports.ts'

export function rulingsOf(
  deps: JudgeDeps,
  place: StepPlace,
  callId: CallId,
  signal: AbortSignal,
): Pick<ToolContext, 'ruled' | 'approve'> {
  const asking = deps.principal ?? place
  const ruling = (tool: string, action: Action) =>
    ruled(deps, authorityOf(deps, asking.session), { callId, tool, action })
  return {
    ruled: async (tool, action) => (await ruling(tool, action))?.verdict ?? null,
    async approve(tool, action) {
      try {
        const decision = await ruling(tool, action)
        if (decision === null) return { allowed: true, why: '' }
        if (decision.verdict !== 'ask') return { allowed: decision.verdict === 'allow', why: decision.reason }
        if (asking.session.state.facts.mode === 'dontAsk') return { allowed: false, why: decision.call.reason }
        const answer = await askAlone(deps, { ...asking, signal }, { callId, tool, action }, decision.call)
        return { allowed: answer?.verdict === 'allow', why: answer?.words?.trim() ?? '' }
      } catch {
        return { allowed: false, why: 'Nobody could be asked.' }
      }
    },
  }
}

/** Flags are left out: a list of tools says which of them may be called, not what a call may meet. */
async function ruled(deps: JudgeDeps, authority: Authority, request: ActionRequest): Promise<Decision | null> {
  if (authority.mode === 'bypassPermissions')
    return { verdict: 'allow', by: 'mode', rule: null, reason: 'No rules count.' }
  const mode = authority.mode === 'dontAsk' ? ('default' as const) : authority.mode
  const [decision] = await deps.authorize([request], { ...authority, mode })
  // A mode and what Belay holds by itself are no rules: where only they speak, nobody said anything of this.
  if (decision?.by !== 'rule') return null
  deps.record?.({ request, authority, kind: 'decision', verdict: decision.verdict, ...groundOf(decision) })
  return decision
}
