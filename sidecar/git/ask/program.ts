/**
 * The program that git and ssh start to ask a person (GIT_ASKPASS, SSH_ASKPASS), and the private socket it asks over. A request
 * is one line with a token that lives as long as the operation it was made for.
 */

import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeInShell, shellQuoted } from '../../base/node-program.ts'

/** Null: nobody answers; the program fails, and so does what asked. `gone` aborts when the program was ended. */
export type Answerer = (token: string, prompt: string, gone: AbortSignal) => Promise<string | null>

export interface AskProgram {
  /** The environment that has git and ssh ask through it. */
  environment(token: string): Record<string, string>
  /** Ends what is being asked and takes the program away. Never rejects. */
  close(): Promise<void>
}

const MOST_BYTES = 64 * 1024
/** A socket's path is short on every system. */
const MOST_PATH = 90

const program = `const { connect } = require('node:net')
const { BELAY_ASK_SOCKET: path, BELAY_ASK_TOKEN: token } = process.env
const socket = connect(path)
let text = ''
socket.setEncoding('utf8')
socket.on('error', () => process.exit(1))
socket.on('data', piece => { text += piece })
socket.on('close', () => {
  let answer = null
  try { answer = JSON.parse(text).answer } catch {}
  if (typeof answer !== 'string') process.exit(1)
  process.stdout.write(answer + '\\n')
})
socket.write(JSON.stringify({ token, prompt: process.argv.slice(2).join(' ') }) + '\\n')
`

export async function startAskProgram(state: string, answer: Answerer): Promise<AskProgram> {
  await mkdir(state, { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(state, 'ask-'))
  await chmod(folder, 0o700)
  const script = join(folder, 'ask.sh')
  const code = join(folder, 'ask.cjs')
  await writeFile(code, program, { mode: 0o600 })
  const line = `${nodeInShell()} ${shellQuoted(code)} "$@"`
  await writeFile(script, `#!/bin/sh\n${line}\n`, { mode: 0o700 })
  const isShort = join(folder, 'socket').length <= MOST_PATH
  const place = isShort ? folder : await mkdtemp(join(tmpdir(), 'belay-ask-'))
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\belay-ask-${randomBytes(16).toString('hex')}` : join(place, 'socket')
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serveOne(socket, answer)
  })
  await listening(server, path)
  return {
    environment: token => ({
      GIT_ASKPASS: script,
      SSH_ASKPASS: script,
      SSH_ASKPASS_REQUIRE: 'force',
      // Older ssh asks nobody without one.
      DISPLAY: process.env.DISPLAY || ':0',
      BELAY_ASK_SOCKET: path,
      BELAY_ASK_TOKEN: token,
    }),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>(resolve => server.close(() => resolve()))
      for (const each of new Set([folder, place])) await rm(each, { recursive: true, force: true }).catch(() => {})
    },
  }
}

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })

function serveOne(socket: Socket, answer: Answerer): void {
  const gone = new AbortController()
  socket.on('close', () => gone.abort())
  let text = ''
  let isAsked = false
  socket.setEncoding('utf8')
  socket.on('data', (piece: string) => {
    if (isAsked) return
    text += piece
    if (text.length > MOST_BYTES) return void socket.destroy()
    const end = text.indexOf('\n')
    if (end < 0) return
    isAsked = true
    const { token, prompt } = parsed(text.slice(0, end))
    void answer(token, prompt, gone.signal).then(
      said => socket.end(JSON.stringify({ answer: said })),
      () => socket.destroy(),
    )
  })
}

function parsed(line: string): { token: string; prompt: string } {
  try {
    const { token, prompt } = JSON.parse(line) as Record<string, unknown>
    return { token: String(token), prompt: String(prompt) }
  } catch {
    return { token: '', prompt: '' }
  }
}
