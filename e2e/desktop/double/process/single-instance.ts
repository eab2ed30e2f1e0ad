/** One process for each profile folder, as Chromium does it: a link that names the owner, and a socket to reach it. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pack, unpack } from '../wire.ts'

export interface SecondStart {
  readonly argv: string[]
  readonly cwd: string
  readonly data: unknown
}
export interface InstanceLock {
  release(): void
}

const TELL_MS = 20_000
/** Runs in a process of its own, because the asking one waits: the owner may be about to listen. */
const teller = `
const { connect } = require('node:net')
const [at, text] = process.argv.slice(1)
const attempt = () => {
  const socket = connect(at, () => socket.end(text))
  socket.on('error', () => setTimeout(attempt, 50)).on('data', () => process.exit(0))
}
attempt()`

/** Null: another process has it, and has been told of this start. */
export function takeInstanceLock(
  userData: string,
  start: SecondStart,
  heard: (start: SecondStart) => void,
): InstanceLock | null {
  mkdirSync(userData, { recursive: true })
  const link = join(userData, 'SingletonLock')
  // Sockets have short names, and a profile's folder may have a long one.
  const folder = mkdtempSync(join(tmpdir(), 'belay-single-'))
  const socket = join(folder, 'socket')
  for (;;) {
    try {
      symlinkSync(`${process.pid}:${socket}`, link)
      break
    } catch {
      const owner = readOwner(link)
      if (owner && isAlive(owner.pid)) {
        rmSync(folder, { recursive: true, force: true })
        const told = spawnSync(process.execPath, ['-e', teller, owner.socket, pack(start)], { timeout: TELL_MS })
        if (told.status === 0) return null
        throw new Error('electron double: the first instance did not answer')
      }
      rmSync(link, { force: true })
    }
  }
  const server = createServer({ allowHalfOpen: true }, connection => {
    let text = ''
    connection.setEncoding('utf8')
    connection.on('data', chunk => {
      text += chunk
    })
    connection.on('end', () => {
      heard(unpack(text) as SecondStart)
      connection.end('heard')
    })
    connection.on('error', () => {})
  })
  server.listen(socket)
  server.unref()
  return {
    release() {
      server.close()
      rmSync(link, { force: true })
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function readOwner(link: string): { pid: number; socket: string } | null {
  try {
    const [pid, socket] = readlinkSync(link).split(/:(.*)/s)
    return { pid: Number(pid), socket: socket ?? '' }
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
