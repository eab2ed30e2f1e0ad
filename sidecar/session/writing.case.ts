/**
 * A child process for the kill tests: opens the session it is given (or makes one), appends until it is killed, and says on
 * stdout what was acknowledged, one `ack <session> <seq> <title>` a line.
 */
import { writeSync } from 'node:fs'
import { SessionId } from '#contract/id'
import { createSessionStore } from './store.ts'

const [folder = '', seed = '0', known] = process.argv.slice(2)
const log = (): void => {}
const store = createSessionStore({ folder, log, instanceId: `ins_${process.pid}`, describeInstance: 'kill test' })
let session = known
  ? await store.open(SessionId.parse(known))
  : await store.create({ roots: ['/w'], title: null, mode: 'default', producer: null })

for (let n = 0; ; n++) {
  const title = `${seed}.${n}.${'x'.repeat((n * 37) % 3000)}`
  const [titled] = await Promise.all([
    session.append({ type: 'session.titled', title, by: 'person' }),
    session.append({ type: 'status.changed', turnId: null, code: 'tick', text: title }),
  ])
  writeSync(1, `ack ${session.sessionId} ${titled[0]?.seq} ${title}\n`)
  if (n % 20 !== 19) continue
  await session.close()
  session = await store.open(session.sessionId)
}
