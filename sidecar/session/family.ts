/** A session and those that sub-agents worked in for it: one thing to a person, who deletes, exports and pays for it as one. */
import type { SessionId } from '#contract/id'
import type { UsageRow } from '#contract/session'
import type { Catalog, Meta } from './catalog.ts'
import { inParallel } from './in-parallel.ts'
import type { Lines } from './lines.ts'

/** Small files read at once for a list. */
export const LIST_WIDTH = 16

/** Itself first, then who worked for it, at any depth. */
export async function familyOf(catalog: Catalog, sessionId: SessionId): Promise<SessionId[]> {
  const all = await inParallel(await catalog.ids(), LIST_WIDTH, async id => ({
    id,
    parent: (await catalog.meta(id).catch(() => null))?.parent ?? null,
  }))
  const family = [sessionId]
  for (const member of family)
    family.push(...all.filter(({ id, parent }) => parent === member && !family.includes(id)).map(({ id }) => id))
  return family
}

/** What models took from that day on, by session, day and model. Of a sub-agent's session it counts for the one a person sees. */
export async function spentSince(catalog: Catalog, lines: Lines, since: string): Promise<UsageRow[]> {
  const found = await inParallel(await catalog.ids(), LIST_WIDTH, id => lines.of(id).catch(() => null))
  const known = new Map(found.flatMap(line => (line ? [[line.meta.sessionId, line] as const] : [])))
  const rows = new Map<string, UsageRow>()
  for (const { meta } of known.values()) {
    const sessionId = rootOf(meta.sessionId, known)
    const title = known.get(sessionId)?.summary.title ?? ''
    for (const spent of meta.digest.spent) {
      if (spent.day < since) continue
      const key = `${sessionId} ${spent.day} ${spent.model}`
      rows.set(key, added(rows.get(key), { sessionId, title, ...spent }))
    }
  }
  return [...rows.values()]
}

/** Where a parent is gone, the child stands for itself. A damaged log may name a circle: it is walked once. */
function rootOf(sessionId: SessionId, known: ReadonlyMap<SessionId, { meta: Meta }>): SessionId {
  const seen = new Set<SessionId>()
  let root = sessionId
  for (let above = known.get(root)?.meta.parent; above && known.has(above) && !seen.has(above); ) {
    seen.add(above)
    root = above
    above = known.get(root)?.meta.parent
  }
  return root
}

function added(before: UsageRow | undefined, row: UsageRow): UsageRow {
  if (!before) return row
  return {
    ...row,
    turns: before.turns + row.turns,
    input: before.input + row.input,
    output: before.output + row.output,
    cacheRead: before.cacheRead + row.cacheRead,
    cacheWrite: before.cacheWrite + row.cacheWrite,
    cost: before.cost + row.cost,
    unpriced: before.unpriced + row.unpriced,
  }
}
