/** Why another repository could not be reached: told apart from what the printed words say. */
import type { GitRefusal } from '#contract/git'
import { cleaned, mainLines, refuse } from './refusal.ts'

export type ReachReason = 'auth' | 'network' | 'missing'

/** Null: it was reached, or it is something else. */
export function reachReason(printed: string): ReachReason | null {
  if (
    /could not read (Username|Password)|Authentication failed|Permission denied \(|terminal prompts disabled|Host key verification failed|HTTP Basic: Access denied|returned error: 403|Too many authentication failures/i.test(
      printed,
    )
  )
    return 'auth'
  if (
    /repository .* not found|does not exist|does not appear to be a git repository|not a git repository|returned error: 404/i.test(
      printed,
    )
  )
    return 'missing'
  if (
    /Could not resolve host|unable to access|Connection (refused|timed out|reset|closed)|early EOF|unexpected disconnect|Network is unreachable|No route to host|unable to look up|transport '.*' not allowed|RPC failed/i.test(
      printed,
    )
  )
    return 'network'
  return null
}

/** `what` reads like "Not pushed". */
export function reachRefusal(printed: string, what: string): GitRefusal | null {
  const reason = reachReason(printed)
  if (reason === null) return null
  const said = mainLines(printed)
  const words = {
    auth: 'The server did not let you in: it did not take who you are, or nobody answered. Try again with other words, or look after your key or git’s credential helper.',
    network: 'The server could not be reached. Check the address of the remote and the network, then try again.',
    missing: 'There is no such repository there, or you may not see it. Check the address of the remote.',
  }[reason]
  const next = reason === 'missing' ? (['addRemote'] as const) : (['retry'] as const)
  return refuse(reason, `${what}. ${words}${said ? ` Git says: ${said}` : ''}`, [...next], { output: cleaned(printed) })
}
