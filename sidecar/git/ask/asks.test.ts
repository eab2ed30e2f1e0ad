/** Real git and a real server that wants to know who one is: what it asks comes to whoever started it, and to nobody else. */
import { execFileSync, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import type { AskId } from '#contract/id'
import { createRig, done, type Rig, refused, until } from '../rig.case.ts'

let rig: Rig
let close = () => {}
afterEach(async () => {
  close()
  await rig.end()
})

/** `git http-backend` behind a password. */
async function serve(password: string): Promise<string> {
  const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const expected = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
    if (request.headers.authorization !== expected)
      return response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end()
    const [path = '', query = ''] = (request.url ?? '').split('?')
    const cgi = spawn(backend, [], {
      env: {
        ...rig.env,
        ...{ GIT_PROJECT_ROOT: rig.base, GIT_HTTP_EXPORT_ALL: '1', REQUEST_METHOD: request.method, REMOTE_USER: 'ann' },
        ...{ PATH_INFO: path, QUERY_STRING: query, CONTENT_TYPE: request.headers['content-type'] ?? '' },
        ...{ HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? '') },
        ...{ HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? '') },
      },
    })
    request.pipe(cgi.stdin)
    const chunks: Buffer[] = []
    cgi.stdout.on('data', chunk => chunks.push(chunk))
    cgi.on('close', () => {
      const whole = Buffer.concat(chunks)
      const end = whole.indexOf('\r\n\r\n')
      for (const line of whole.subarray(0, end).toString('latin1').split('\r\n')) {
        const [key = '', value = ''] = line.split(': ')
        if (key === 'Status') response.statusCode = Number.parseInt(value, 10)
        else response.setHeader(key, value)
      }
      response.end(whole.subarray(end + 4))
    })
  }
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  close = () => void server.close()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const asked = () => rig.told.filter(each => each.name === 'git/asked')
const answered = () => rig.told.filter(each => each.name === 'git/answered').map(each => each.payload.askId)
const answer = (askId: AskId, text: string | null, clientId = 'one') =>
  rig.handlers.answer({ askId, answer: text }, { ...rig.context, clientId })
/** The ask of that number, once it is there. */
const askOf = async (number: number) => {
  await until(() => asked().length > number, 'an ask')
  return asked()[number]?.payload
}

async function withServer(): Promise<string> {
  rig = await createRig()
  await rig.write('a', 'a')
  rig.commit('first')
  rig.gitIn(rig.base, 'clone', '-q', '--bare', rig.folder, 'remote.git')
  rig.gitIn(join(rig.base, 'remote.git'), 'config', 'http.receivepack', 'true')
  const address = await serve('s3cret-word')
  rig.git('remote', 'add', 'origin', `${address}/remote.git`)
  rig.git('config', 'credential.helper', await rig.bait('evil-helper'))
  return address
}
const push = (signal = rig.context.signal) =>
  rig.handlers.push(
    { ...rig.here, operationId: 'op', remote: null, publish: true, force: false, tags: false },
    { ...rig.context, signal },
  )

it('name and password are asked of who pushes, with the exact server, and reach it; nothing of them is kept', async () => {
  const address = await withServer()
  rig.commit('second')
  const running = push()
  const name = await askOf(0)
  expect(name).toMatchObject({ operationId: 'op', kind: 'user', host: new URL(address).host, secret: false })
  expect(asked()[0]?.clientId).toBe('one')
  expect(answer(name.askId, 'eve', 'another')).toEqual({ won: false })
  expect(answer(name.askId, 'ann')).toEqual({ won: true })
  expect(answer(name.askId, 'again')).toEqual({ won: false })
  const password = await askOf(1)
  expect(password).toMatchObject({ kind: 'password', host: new URL(address).host, of: 'ann', secret: true })
  answer(password.askId, 's3cret-word')
  expect(done(await running)).toEqual({ ok: true, result: 'pushed' })
  expect(answered()).toEqual([name.askId, password.askId])
  expect(JSON.stringify(rig.told)).not.toContain('s3cret-word')
  expect(rig.git('config', '--list')).not.toContain('s3cret-word')
  expect(await rig.ran()).toEqual([])
})

it('a wrong word, no word and a cancel each end it: the first two with what to do', async () => {
  await withServer()
  const wrong = push()
  answer((await askOf(0)).askId, 'ann')
  answer((await askOf(1)).askId, 'wrong')
  expect(refused((await wrong) as never)).toMatchObject({ reason: 'auth', next: ['retry'] })
  const none = push()
  answer((await askOf(2)).askId, null)
  expect(refused((await none) as never)).toMatchObject({ reason: 'auth' })
  const cancel = new AbortController()
  const cancelled = push(cancel.signal)
  const last = await askOf(3)
  cancel.abort()
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' })
  await until(() => answered().includes(last.askId), 'the ask to end')
  expect(answer(last.askId, 'ann')).toEqual({ won: false })
})

it('a clone asks in the same way', async () => {
  const address = await withServer()
  const wish = { cloneId: 'clone-1', address: `${address}/remote.git`, into: join(rig.base, 'cloned') }
  const running = rig.handlers.clone(wish, rig.context)
  const name = await askOf(0)
  expect(name.operationId).toBe('clone-1')
  answer(name.askId, 'ann')
  answer((await askOf(1)).askId, 's3cret-word')
  const { folder } = await running
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('a')
})

it('the person’s own credential helper is asked first, and ssh asks through the same door', async () => {
  await withServer()
  rig.commit('second')
  const helper = await rig.bait('helper', 'echo username=ann; echo password=s3cret-word')
  rig.gitIn(rig.base, 'config', '--global', 'credential.helper', helper)
  done((await push()) as { ok: true })
  expect(asked()).toEqual([])
  expect((await rig.ran()).every(line => line.startsWith('helper'))).toBe(true)

  const ssh = await rig.bait(
    'fake-ssh',
    `answer=$("$SSH_ASKPASS" "Enter passphrase for key '/home/ann/.ssh/id': ") || exit 255\n[ "$answer" = open ] || exit 255\nfor last; do :; done\nexec sh -c "$last"`,
  )
  rig.env.GIT_SSH_COMMAND = ssh
  rig.env.GIT_SSH_VARIANT = 'simple'
  rig.git('remote', 'set-url', 'origin', `ssh://ann@example.org${rig.base}/remote.git`)
  const before = asked().length
  const fetching = rig.handlers.fetch(
    { ...rig.here, operationId: 'op2', remote: null, all: false, prune: false },
    rig.context,
  )
  const ask = await askOf(before)
  expect(ask).toMatchObject({ operationId: 'op2', kind: 'passphrase', of: '/home/ann/.ssh/id', secret: true })
  answer(ask.askId, 'open')
  done((await fetching) as { ok: true })
})
