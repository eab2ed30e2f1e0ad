/// <reference path="./agent/markdown.d.ts" />
/**
 * A page never comes by a key: every request of the contract is made with arguments that pass, beside a provider that says back what
 * it was sent, and neither answers, faults, events, the log nor Belay's folders hold the keys.
 */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createClient } from '#contract/client'
import { contract } from '#contract/index'
import { PROTOCOL_VERSION } from '#contract/protocol'
import { foldersOf } from './base/folders.ts'
import { createLog } from './base/log.ts'
import { type Core, createCore } from './core.ts'
import { startPlayedServer } from './model/server/server.case.ts'
import { serve } from './server/serve.ts'
import { createSecrets, type Secrets } from './supervise/machine/secrets.ts'
import { connectOver } from './transport/connection.ts'
import { loopback } from './transport/loopback.ts'

/** Without a shape that the second net of the log would know them by. */
const keys = {
  environment: 'Wq3vNbX8zLrT5yKdPh7MfJc2',
  stored: 'Ga9sEuR4tVxY6oZiCk1DlQw8',
  header: 'Hn5bUjM2rFpS7aXeTv0YcLd3',
  search: 'Jk4wTzB9mQxV6sRgPy1NfEo7',
}
const SAID_BACK = 'You sent'

let profile: string
let core: Core
let provider: Awaited<ReturnType<typeof startPlayedServer>>
const logged: string[] = []

/** A person's secrets as the supervisor keeps them; the machine does nothing else here. */
const machine = (
  secrets: Secrets,
  env: Record<string, string>,
): NonNullable<Parameters<typeof createCore>[0]['supervisor']> => ({
  secretGet: ({ name }) => secrets.get(name),
  secretSet: async ({ name, value }) => {
    await secrets.set(name, value)
    return {}
  },
  secretDelete: async ({ name }) => {
    await secrets.set(name, null)
    return {}
  },
  trash: async () => ({ place: null }),
  shellEnvironment: async () => ({ env }),
  proxyFor: async () => ({ rules: 'DIRECT' }),
  keepAwake: async () => ({}),
})

beforeAll(async () => {
  profile = await mkdtemp(join(tmpdir(), 'belay-keys-'))
  await mkdir(join(profile, 'project/sub'), { recursive: true })
  await writeFile(join(profile, 'project/a.txt'), 'one\n')
  const answer = ({ headers }: { headers: object }) => ({
    http: { status: 401, body: JSON.stringify({ error: { message: `${SAID_BACK} ${JSON.stringify(headers)}` } }) },
  })
  provider = await startPlayedServer({ answer })
  const folders = foldersOf({ BELAY_HOME: join(profile, 'home') })
  const { BELAY_LOG } = process.env
  process.env.BELAY_LOG = 'debug'
  const log = createLog('test', line => void logged.push(line))
  if (BELAY_LOG === undefined) delete process.env.BELAY_LOG
  else process.env.BELAY_LOG = BELAY_LOG
  const env = {
    PATH: process.env.PATH ?? '',
    ANTHROPIC_API_KEY: keys.environment,
    ANTHROPIC_BASE_URL: provider.baseUrl('anthropic'),
    OPENAI_BASE_URL: provider.baseUrl('openai-chat'),
    OF_THE_HEADER: keys.header,
  }
  core = await createCore({
    folders,
    log,
    instanceId: 'ins_keys',
    epoch: 'epoch',
    version: '0',
    env,
    supervisor: machine(createSecrets({ folder: folders.data, instanceId: 'ins_keys' }), env),
    ticketKey: new Uint8Array(32),
    ledger: { add: () => {}, remove: () => {} },
  })
})
afterAll(async () => {
  await core?.dispose()
  await provider?.close()
  await rm(profile, { recursive: true, force: true })
})

interface JsonSchema {
  readonly [key: string]: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
}

const takes = (schema: JsonSchema, value: unknown): boolean => {
  if (schema.anyOf) return schema.anyOf.some(each => takes(each, value))
  if (typeof value === 'string')
    return (
      schema.type === 'string' && !schema.enum && (!schema.pattern || new RegExp(String(schema.pattern)).test(value))
    )
  return schema.type === 'object' && Object.keys(value as object).every(key => key in (schema.properties ?? {}))
}

/** What a careful page would send: known things by their names, else the least that the schema takes. */
function sample(schema: JsonSchema, name: string, known: Readonly<Record<string, unknown>>): unknown {
  if (name in known && takes(schema, known[name])) return known[name]
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const [, prefix] = /^\^(\w+_)\[/.exec(String(schema.pattern)) ?? []
  if (prefix) return `${prefix}1`
  if (String(schema.pattern).startsWith('^[0-9a-f]{40}')) return '0'.repeat(40)
  if (schema.format === 'uuid') return crypto.randomUUID()
  const [first] = schema.anyOf ?? (schema.oneOf as JsonSchema[] | undefined) ?? []
  if (first) return sample(first, name, known)
  if (schema.type === 'object') {
    const entries = Object.entries(schema.properties ?? {}).map(([key, each]) => [key, sample(each, key, known)])
    return Object.fromEntries(entries)
  }
  if (schema.type === 'array') return schema.items ? [sample(schema.items, '', known)] : []
  if (schema.type === 'boolean') return true
  if (schema.type === 'string') return 'a'
  if (schema.type === 'number' || schema.type === 'integer') return Math.max(1, Number(schema.minimum ?? 1))
  return null
}

const requests = Object.entries(contract).flatMap(([domain, methods]) =>
  Object.entries(methods).flatMap(([name, def]) =>
    def.kind === 'request' ? [{ method: `${domain}/${name}`, def }] : [],
  ),
)
/** What takes things away comes last. */
const order = (method: string): number =>
  /\/(delete\w*|remove\w*|close|forget)$/.test(method) ? 1 : method.startsWith('link/') ? -1 : 0

test('no request of a page answers with a byte of a key', { timeout: 60_000 }, async () => {
  const [near, far] = loopback()
  serve(core.service, far, { epoch: 'epoch', version: '0', log: () => {} })
  const connection = connectOver(near)
  const heard: string[] = []
  connection.onUnhandledNotification(({ method, params }) => heard.push(`${method} ${JSON.stringify(params)}`))
  const client = createClient(contract, connection)
  const call = async (method: string, params: object) => {
    const ended = await connection.sendRequest(method, params).then(
      result => ({ result }),
      thrown => ({ fault: thrown.data?.code, message: thrown.message }),
    )
    heard.push(`${method} ${JSON.stringify(ended)}`)
    return ended
  }
  await client.link.hello({ protocol: PROTOCOL_VERSION, name: 'page', clientId: 'page' })
  const { workspaceId, roots } = await client.workspace.open({ folder: join(profile, 'project') })
  const rootId = roots[0]?.rootId
  await client.workspace.trust({ workspaceId, trusted: true })
  await client.model.setKey({ provider: 'openai', key: keys.stored })
  await client.web.setSearchKey({ provider: 'brave', key: keys.search })
  const own = { id: 'own', label: 'Own', dialect: 'openai-chat' as const, baseUrl: provider.baseUrl('openai-chat') }
  const headers = { 'x-secret': 'env:OF_THE_HEADER' }
  await client.model.saveProvider({ provider: { ...own, headers } })
  // Talks, and is refused in words that hold what was sent.
  const { sessionId } = await client.session.create({ workspaceId, model: 'anthropic/claude-x' })
  const providers = ['anthropic', 'openai', 'own']
  for (const each of providers) {
    await client.model.consent({ provider: each })
    await call('model/refresh', { provider: each })
    expect(await call('model/test', { provider: each, model: `${each}/m` })).toMatchObject({
      result: { ok: false, message: expect.stringContaining(SAID_BACK) },
    })
    await client.session.setModel({ sessionId, model: `${each}/m`, effort: 'auto' })
    const turns = heard.filter(line => line.includes('turn.ended')).length
    const prompt = { sessionId, requestId: crypto.randomUUID(), parts: [{ kind: 'text', text: 'hello' }] }
    await client.session.open({ sessionId })
    await call('session/prompt', prompt)
    await expect
      .poll(() => heard.filter(line => line.includes('turn.ended')).length, { timeout: 20_000 })
      .toBe(turns + 1)
  }
  expect(await call('session/export', { sessionId })).toMatchObject({
    result: { text: expect.stringContaining(SAID_BACK) },
  })
  expect(provider.asked.map(each => JSON.stringify(each.headers)).join()).toContain(keys.header)

  const opened = await client.document.open({ workspaceId, path: { rootId: rootId as never, path: 'a.txt' } })
  const known = {
    workspaceId,
    sessionId,
    rootId,
    documentId: opened.state.documentId,
    provider: 'anthropic',
    model: 'anthropic/m',
    path: { rootId, path: 'a.txt' },
    from: { rootId, path: 'a.txt' },
    requestId: crypto.randomUUID(),
    blobId: `blb_${'0'.repeat(64)}`,
    folder: join(profile, 'project'),
    typed: `${profile}/`,
    key: 'appearance.theme',
    text: '{}',
  }
  const refused: string[] = []
  const calls = requests.filter(({ method }) => !/^link\/hello|\/(setKey|setSearchKey|saveProvider)$/.test(method))
  for (const { method, def } of calls.toSorted((a, b) => order(a.method) - order(b.method))) {
    const schema = z.toJSONSchema(def.params, { unrepresentable: 'any', io: 'input' }) as JsonSchema
    const params = sample(schema, '', known) as object
    if (!def.params.safeParse(params).success) refused.push(`${method} ${JSON.stringify(params)}`)
    await call(method, params)
  }
  expect(refused).toEqual([])
  connection.dispose()

  const files = await readdir(join(profile, 'home'), { recursive: true, withFileTypes: true })
  for (const each of files.filter(entry => entry.isFile() && entry.name !== 'secrets.json'))
    heard.push(`${each.name} ${await readFile(join(each.parentPath, each.name), 'utf8')}`)
  heard.push(...logged)
  expect(heard.some(line => line.includes(SAID_BACK))).toBe(true)
  for (const [which, key] of Object.entries(keys)) {
    // Four characters at its end are shown; any more of it would help who guesses.
    const parts = [key, key.slice(0, 8), key.slice(-8), ...inBase64(key)]
    expect(
      heard.filter(line => parts.some(part => line.includes(part))),
      which,
    ).toEqual([])
  }
})

/** As base64, of either alphabet, shows it wherever in a text it stands: at each of the three places within four letters. */
const inBase64 = (key: string): string[] =>
  [0, 1, 2].flatMap(before => {
    const bytes = Buffer.from('.'.repeat(before) + key)
    return [bytes.toString('base64').slice(4, 20), bytes.toString('base64url').slice(4, 20)]
  })
