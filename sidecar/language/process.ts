/**
 * A server's process and the JSON-RPC connection on it. Whatever it does (garbage, silence, a pipe it does not read, its end),
 * the process is ended whole and `over` says why; its stderr is always read.
 */
import { BelayError } from '#contract/error'
import { type ChildLedger, spawnGroup } from '../base/process-group.ts'

export type Connection = import('vscode-jsonrpc/node').MessageConnection

export interface ServerProcess {
  readonly connection: Connection
  /** The end of what it wrote beside the protocol. */
  log(): string
  /** Adds a line of the server's own words (`window/logMessage`). */
  note(words: string): void
  /** Why it is no use any more, in words, as soon as that is so. Never rejects. */
  readonly over: Promise<string>
  /** Asks for an orderly end where it still answers. Never rejects; nothing of it runs afterwards. */
  end(): Promise<void>
}

export interface ProcessOptions {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Record<string, string>
  readonly ledger?: ChildLedger | undefined
  readonly limits?: Partial<ProcessLimits> | undefined
  /** All it writes beside the protocol, as it comes. */
  onWords?(words: string): void
}

export interface ProcessLimits {
  /** How long one message may wait for the server to read it. */
  readonly stallMs: number
  /** How long an orderly end may take. */
  readonly shutdownMs: number
  /** Bytes it may write without a whole message among them. */
  readonly unreadBytes: number
}

const usual: ProcessLimits = { stallMs: 10_000, shutdownMs: 2000, unreadBytes: 128 * 1024 * 1024 }
const LOG_CHARS = 8 * 1024
const GRACE_MS = 1000
const EXIT_MS = 300

/** Throws `unavailable` with words where the program cannot be started. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  const { command, cwd, env, ledger, limits } = options
  const { stallMs, shutdownMs, unreadBytes } = { ...usual, ...limits }
  const rpc = await import('vscode-jsonrpc/node')
  const [program, ...args] = command
  const group = spawnGroup(program, args, { cwd, env, stdin: 'pipe', ...(ledger ? { ledger } : {}) })
  const { stdin } = group
  if (!stdin) throw new BelayError('internal', 'A language server was started without an input.')

  let tail = ''
  const note = (words: string) => {
    tail = `${tail}${words}`.slice(-LOG_CHARS)
    options.onWords?.(words)
  }
  group.stderr.setEncoding('utf8').on('data', note)

  let failed = false
  let tell: (why: string) => void = () => {}
  const over = new Promise<string>(resolve => {
    tell = resolve
  })
  const fail = (why: string) => {
    if (failed) return
    failed = true
    tell(why)
    connection.dispose()
    void group.end(GRACE_MS)
  }

  let unread = 0
  group.stdout.on('data', (bytes: Buffer) => {
    unread += bytes.length
    if (unread > unreadBytes) fail('It wrote what is no message of the protocol.')
  })
  class Reader extends rpc.StreamMessageReader {
    override listen(callback: Parameters<InstanceType<typeof rpc.StreamMessageReader>['listen']>[0]) {
      return super.listen(message => {
        unread = 0
        callback(message)
      })
    }
  }
  class Writer extends rpc.StreamMessageWriter {
    override async write(message: Parameters<InstanceType<typeof rpc.StreamMessageWriter>['write']>[0]): Promise<void> {
      if (failed) return
      const timer = setTimeout(() => fail('It stopped reading what it is sent.'), stallMs)
      try {
        await super.write(message)
      } finally {
        clearTimeout(timer)
      }
    }
  }
  const connection = rpc.createMessageConnection(new Reader(group.stdout), new Writer(stdin), {
    error: words => note(`${words}\n`),
    warn: () => {},
    info: () => {},
    log: () => {},
  })
  // How it exited says more, where it did.
  const failUnlessItExits = (why: string) => void pause(EXIT_MS).then(() => fail(why))
  connection.onError(([fault, sent]) => {
    const words = fault.message.split('\n')[0]
    const writing = sent !== undefined || (fault as NodeJS.ErrnoException).syscall === 'write'
    if (writing) failUnlessItExits(`It takes nothing any more: ${words}`)
    else fail(`What it sends cannot be read: ${words}`)
  })
  connection.onClose(() => failUnlessItExits('It closed its output.'))
  void group.exited.then(({ code, signal }) => {
    const how = signal ? `was ended by ${signal}` : `ended with code ${code}`
    fail(`It ${how}.`)
  })

  let ending: Promise<void> | undefined
  const end = async () => {
    if (!failed) await Promise.race([orderly(connection), pause(shutdownMs), over])
    fail('It was ended.')
    await group.end(GRACE_MS)
  }
  return {
    connection,
    log: () => tail,
    note,
    over,
    end() {
      ending ??= end()
      return ending
    },
  }
}

async function orderly(connection: Connection): Promise<void> {
  try {
    await connection.sendRequest('shutdown')
    await connection.sendNotification('exit')
  } catch {
    // It is ended the other way.
  }
}

const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms).unref())
