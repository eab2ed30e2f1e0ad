/** What a file would be without the agent's lines, told from the ledger: offered where others have changed it too. */
import type { FileState, LedgerWrite, RestoreLine } from '#contract/ledger'
import { pathKey } from '#contract/path'
import { isSame } from './attribute.ts'
import type { RestoreFacts } from './restore.ts'
import { afterKept } from './restore.ts'
import { type Without, type Written, without } from './without.ts'

/** Of one content; and writes of one path: beyond them a person looks for himself. */
const MOST_BYTES = 1_000_000
const MOST_WRITES = 200

export interface MergeFacts extends Pick<RestoreFacts, 'lines' | 'mine' | 'kept'> {
  contentOf(state: FileState): Promise<Uint8Array | null>
}

/** Null where that is no text, came or went in the meantime, or nothing would change. */
export async function mergedOf(
  line: RestoreLine,
  { lines, mine, kept, contentOf }: MergeFacts,
): Promise<Without | null> {
  if ((line.action !== 'keep' && line.action !== 'merge') || !line.was || !line.now) return null
  const key = pathKey(line.path)
  const writes = afterKept(
    lines.filter(({ path }) => pathKey(path) === key),
    kept,
  )
  if (writes.length > MOST_WRITES || !isSame(writes.at(-1)?.after ?? null, line.now)) return null
  const texts = new Map<string, string | null>()
  const textOf = async (state: FileState | null): Promise<string | null> => {
    if (state?.kind !== 'file' || !state.kept || state.bytes > MOST_BYTES) return null
    if (!texts.has(state.hash)) texts.set(state.hash, decoded(await contentOf(state)))
    return texts.get(state.hash) ?? null
  }
  const steps: Written[] = []
  for (const write of writes) {
    const [before, after] = [await textOf(write.before), await textOf(write.after)]
    if (before === null || after === null) return null
    steps.push({ before, after, mine: isMine(write, mine) })
  }
  const found = without(steps)
  return found.text === steps.at(-1)?.after ? null : found
}

/** What an earlier taking back wrote is nobody's own work. */
const isMine = ({ by, via, writers }: LedgerWrite, mine: RestoreFacts['mine']): boolean =>
  via === 'restore' || (by === 'agent' && writers.every(mine))

/** UTF-8 without its mark; null for anything else. */
function decoded(bytes: Uint8Array | null): string | null {
  if (!bytes || bytes.includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
