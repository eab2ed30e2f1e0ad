/** A child process for the kill test: forks a session, or imports a file, again and again until it is killed. */

import { writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { ItemId, SessionId } from '#contract/id'
import { newId } from '../../base/id.ts'
import { createSessionStore } from '../store.ts'

const [folder = '', what = '', of = '', at = ''] = process.argv.slice(2)
const store = createSessionStore({
  folder,
  log: () => {},
  instanceId: `ins_${process.pid}`,
  describeInstance: 'kill test',
})
const roots = ['/w']
for (;;) {
  writeSync(1, 'begun\n')
  if (what === 'import') {
    const text = await readFile(of, 'utf8')
    const { sessionId } = await store.import({ text, fileName: 'x', roots, mode: 'default', producer: null })
    writeSync(1, `done ${sessionId}\n`)
  } else {
    const sessionId = SessionId.parse(newId('ses'))
    await store.fork(SessionId.parse(of), { sessionId, atItemId: ItemId.parse(at), roots, mode: 'default' })
    writeSync(1, `done ${sessionId}\n`)
  }
}
