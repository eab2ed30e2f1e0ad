/** One line about the session: who is asked, which model, how full, what it took, and whether the jail holds. Never more than is known. */
import { type Component, truncateToWidth } from '@earendil-works/pi-tui'
import type { SessionState } from '#contract/session-fold'
import type { Theme } from './theme.ts'

export interface StatusFacts {
  readonly state: SessionState
  /** Tokens that the model can take in; null where nobody knows. */
  readonly window: number | null
  readonly jailed: boolean
  /** What a person should know now, instead of the rest. */
  readonly hint: string | null
}

export function createStatusLine(theme: Theme, facts: () => StatusFacts): Component {
  return {
    invalidate() {},
    render(width) {
      const { state, window, jailed, hint } = facts()
      if (hint) return [truncateToWidth(theme.warn(hint), width)]
      const { mode, producer, contextTokens, cost, queue, steers, running } = state.facts
      const full =
        contextTokens === null ? '?' : `${thousands(contextTokens)}/${window === null ? '?' : thousands(window)}`
      const parts = [
        running === null ? 'ready' : 'working · Ctrl+C stops',
        // What a person has just sent: a narrow terminal cuts the end.
        steers.length > 0 ? `${steers.length} on the way` : '',
        queue.length > 0 ? `${queue.length} waiting` : '',
        mode,
        producer?.model ?? '',
        full,
        cost === null ? '' : `$${cost.toFixed(cost < 1 ? 4 : 2)}`,
        jailed ? 'jail on' : 'no jail: commands ask',
      ]
      return [truncateToWidth(theme.dim(parts.filter(Boolean).join(' · ')), width)]
    },
  }
}

const thousands = (tokens: number): string => (tokens < 1000 ? `${tokens}` : `${(tokens / 1000).toFixed(1)}k`)
