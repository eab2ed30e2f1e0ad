/** What a person decides about the calls of one ask before it is sent, and what of it may be remembered. Pure. */
import type { AskedCall, PermissionAnswer } from '#contract/session-event'
import type { Ask } from '#contract/session-state'

export type PermissionAsk = Extract<Ask, { kind: 'permission' }>

export interface Choice {
  readonly verdict: PermissionAnswer['verdict']
  readonly remember: PermissionAnswer['remember']
  /** One of the call's `patterns`. */
  readonly pattern?: string | undefined
  readonly words?: string | undefined
  /** With `allow`: run it with these instead. */
  readonly arguments?: unknown
}
export type Choices = Readonly<Record<string, Choice>>
export type Scope = 'session' | 'here'

export const mayRemember = (calls: readonly AskedCall[], scope: Scope): boolean =>
  calls.every(call => call.remember.includes(scope))

/** Null while a call is undecided. */
export function answersTo(calls: readonly AskedCall[], choices: Choices): PermissionAnswer[] | null {
  const answers = calls.flatMap(({ callId, patterns }) => {
    const choice = choices[callId]
    if (!choice) return []
    const { verdict, remember, words, pattern } = choice
    return [
      {
        callId,
        verdict,
        remember,
        ...(remember !== 'once' && pattern !== undefined && patterns?.includes(pattern) ? { pattern } : {}),
        ...(words?.trim() ? { words: words.trim() } : {}),
        ...(verdict === 'allow' && choice.arguments !== undefined ? { arguments: choice.arguments } : {}),
      },
    ]
  })
  return answers.length === calls.length ? answers : null
}

export const sameForAll = (calls: readonly AskedCall[], choice: Choice): Choices =>
  Object.fromEntries(calls.map(({ callId }) => [callId, choice]))

/** Whether an agent that hears "skip" could go on: a host that a running command waits for is reached or it is not. */
export const maySkip = ({ kind }: AskedCall): boolean => kind !== 'network'

/** What must not be taken for an everyday ask. */
export const gravityOf = ({ kind, secrets }: AskedCall): 'unjailed' | 'secrets' | null =>
  kind === 'unjailed' ? 'unjailed' : secrets ? 'secrets' : null

/** The rule as it will be written, but for where: `bash(npm test)`. */
export const ruleOf = ({ tool, kind }: AskedCall, pattern: string): string =>
  `${kind === 'edit' ? 'edit' : kind === 'network' ? 'network' : tool}(${pattern})`
