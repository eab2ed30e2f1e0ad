/** The way to an address by the system's own settings, PAC files among them: asked of Chromium, remembered for a minute. */
import { setTimeout as after } from 'node:timers/promises'
import type { Session } from 'electron'
import type { Log } from '../../sidecar/base/log.ts'

/** A PAC file is fetched, and a network may be looked through for one. */
const TIMEOUT_MS = 5000
const KEPT_MS = 60_000
const MOST_KEPT = 500

/** Rules as PAC files have them. Never rejects: what is not answered in time is a straight way. */
export function createSystemProxy(
  session: Pick<Session, 'resolveProxy'>,
  log: Log,
  timeoutMs: number = TIMEOUT_MS,
): (url: string) => Promise<string> {
  const known = new Map<string, { at: number; rules: Promise<string> }>()
  const ask = async (url: string): Promise<string> => {
    const answer = session.resolveProxy(url).catch(fault => {
      log('warn', 'the system did not say how to reach an address', { fault: `${fault}` })
      return 'DIRECT'
    })
    const late = after(timeoutMs, null, { ref: false })
    const rules = await Promise.race([answer, late])
    if (rules === null) log('warn', 'the system was too slow to say how to reach an address', { timeoutMs })
    return rules ?? 'DIRECT'
  }
  return url => {
    const { origin } = new URL(url)
    const found = known.get(origin)
    if (found && Date.now() - found.at < KEPT_MS) return found.rules
    const rules = ask(url)
    known.delete(origin)
    known.set(origin, { at: Date.now(), rules })
    const [oldest] = known.keys()
    if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest)
    return rules
  }
}
