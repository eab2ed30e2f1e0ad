/** The real conversations behind a loopback, for tests of text faces: small tools, the scripted model, a folder of its own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { type BelayContract, contract } from '#contract/index'
import { authorize, smallTools, workspaceId } from '../../agent/fixture.case.ts'
import { createScripted } from '../../model/scripted.ts'
import { type Service, serve } from '../../server/serve.ts'
import { createConversations } from '../../session/conversation.ts'
import { createSessionStore } from '../../session/store.ts'
import { connectOver } from '../../transport/connection.ts'
import { loopback } from '../../transport/loopback.ts'
import { type Reached, reach } from './reach.ts'

const log = () => {}
let folder: string
const ends: (() => unknown)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'belay-run-'))
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await rm(folder, { recursive: true, force: true })
})

/** A client of its own. */
export function connect(name: string): Promise<Reached> {
  const store = createSessionStore({ folder, log, instanceId: 'run', describeInstance: 'run' })
  const talks = createConversations({
    store,
    model: createScripted(),
    tools: smallTools(),
    authorize,
    remember: async () => null,
    surroundings: async () => ({ roots: [], platform: '', shell: '', date: '', instructions: [], dirty: [] }),
    workspaceOf: () => ({ roots: ['/project'] }),
    workspaceIdOf: () => workspaceId,
    defaults: () => ({ mode: 'default', model: 'scripted/default', effort: 'auto', maxTurns: 20 }),
    consented: () => true,
    trusted: () => true,
    revert: async () => 'stale',
    epoch: 'epoch',
    log,
  })
  const service = {
    contract,
    handlers: {
      session: talks.handlers,
      sandbox: { status: async () => ({ state: 'unavailable' }) },
      workspace: { find: async () => ({ files: [], total: 0 }) },
      model: { list: async () => ({ providers: [], models: [], chosen: '' }) },
      agents: { list: async () => ({ agents: [], problems: [], tools: smallTools().map(({ name }) => name) }) },
    },
    attach: talks.attach,
  } as unknown as Service<BelayContract>
  const [near, far] = loopback()
  serve(service, far, { epoch: 'epoch', version: '0', log })
  const connection = connectOver(near)
  ends.push(
    () => store.dispose(),
    () => talks.dispose(),
    () => connection.dispose(),
  )
  return reach(connection, name)
}

export const script = (...steps: object[][]) => `script:${JSON.stringify(steps)}`
export { workspaceId }
