/** A command that was running when Belay was killed wrote something: the next who opens its session adds that to the call. */
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Room } from '../session/conversation-room.ts'
import { keptIn } from '../tools/command-writes.ts'

/** Of the last turn, if that was lost. Rejects where its folder is not open. */
export async function tellLostWrites({ open, talk }: Room, checkpoints: Pick<Checkpoints, 'of'>): Promise<void> {
  const { state, sessionId } = open
  const turn = [...state.turns.values()].at(-1)
  if (turn?.outcome !== 'lost') return
  const { turnId } = turn
  const lost = [...state.items.values()].flatMap(item =>
    item.kind === 'tool' && item.turnId === turnId && item.state === 'lost' && item.files.length === 0 ? item : [],
  )
  if (!lost.some(({ startedAt }) => startedAt !== null)) return
  const ledger = checkpoints.of(talk.port.workspaceId)
  for (const { callId } of lost) {
    const { files } = await ledger.wroteOf({ sessionId, turnId, callId })
    if (files.length === 0) continue
    const kept = await Promise.all(files.map(file => keptIn({ blob: bytes => open.blob(bytes) }, file)))
    await open.append({ type: 'tool.wrote', callId, files: kept })
  }
}
