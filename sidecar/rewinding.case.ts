/**
 * A child process for the kill test: takes the last turn of a session back with its files, undoes that, and so on until it is
 * killed. Says on stdout where it is: `begun` before each, `done` after it.
 */
import { writeSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import type { RequestId, SessionId } from '#contract/id'
import { undoableMove } from '#contract/session-moves'
import { startLife } from './no-loss.case.ts'

const [home = '', known = ''] = process.argv.slice(2)
if (isMainThread && home !== '') {
  const sessionId = known as SessionId
  const { head, talks, context } = await startLife({ home })
  const { facts } = await talks.handlers.open({ sessionId }, context)
  let move = undoableMove(facts as never)?.requestId ?? null
  for (;;) {
    writeSync(1, 'begun\n')
    if (move) {
      await head.handlers.undo({ sessionId, moveId: move }, context)
      move = null
    } else {
      move = crypto.randomUUID() as RequestId
      const both = { what: 'both' as const, merge: [], leave: [] }
      await head.handlers.rewind({ sessionId, requestId: move, to: { turns: 1 }, ...both }, context)
    }
    writeSync(1, 'done\n')
  }
}
