/**
 * A language server that behaves as told, badly too. It finds an error wherever a text says BAD. Its one argument is JSON: see
 * the names below. A hover answers what it holds and was told.
 */
import { closeSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const {
  /** 'exit' | 'garbage' | 'deaf' (no answer to initialize) | 'unread' (reads nothing after it) | 'dies' | 'closes' (its input, then dies; both at the first change) */
  fault = null,
  encoding = 'utf-16',
  sync = 2,
  /** 'push' | 'pull' | 'register' (pull, said later) | 'none' */
  diagnostics = 'push',
  versions = true,
  delayMs = 0,
  /** It says that all is well first, and what it finds so many ms later. */
  afterthoughtMs = 0,
  /** It reads the project for so long, and finds nothing until then. */
  readsMs = 0,
  /** Added to the version that a push names. */
  staleBy = 0,
  /** It finds nothing wrong. */
  blind = false,
  /** So many errors, wherever they are. */
  flood = 0,
  /** Positions outside every text. */
  outside = false,
  /** Pulls that are refused first. */
  refusals = 0,
  /** Reads the file again when it is told that it changed on disk, as some servers do with open documents. */
  rereads = false,
  /** Of another file: an error there whenever this one says BREAKS. */
  breaks = null,
  /** Of `initialize`, beside the usual. */
  capabilities = {},
  /** What requests are answered with, by method; `$URI` in it is the document that was asked about, `$ROOT` its folder. */
  answers = {},
  /** So many completions. */
  manyItems = 0,
  /** Requests that are never answered. */
  silent = [],
  /** What it asks to be changed while it runs a command. */
  commandEdits = [],
  /** Registrations that come a while after the start. */
  registersLater = [],
} = JSON.parse(process.argv[2] ?? '{}')

const texts = new Map()
let reading = readsMs > 0
const told = []
let refused = 0

const send = message => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))
  process.stdout.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]))
}

if (fault === 'exit') {
  process.stderr.write('no licence\n')
  process.exit(3)
}
if (fault === 'garbage') process.stdout.write('Welcome to the server!\r\n\r\nHave fun\n')

function found(uri) {
  const { text } = texts.get(uri)
  const range = (line, character) => ({ start: { line, character }, end: { line, character: character + 3 } })
  if (flood > 0)
    return Array.from({ length: flood }, (_, at) => ({ range: range(at, 0), severity: 1, message: `error ${at}` }))
  const items = text.split('\n').flatMap((line, at) =>
    [...(blind ? [] : line.matchAll(/BAD/g))].map(({ index }) => ({
      range: outside
        ? range(-5, -7)
        : range(at, encoding === 'utf-8' ? Buffer.byteLength(line.slice(0, index)) : index),
      severity: 1,
      source: 'fake',
      message: 'it is bad',
    })),
  )
  const broken = breaks && uri.endsWith(breaks) && [...texts.values()].some(each => each.text.includes('BREAKS'))
  if (broken) items.push({ range: range(0, 0), severity: 1, source: 'fake', message: 'broken from elsewhere' })
  return [...items, { range: range(0, 0), severity: 2, message: 'only a warning' }, { nonsense: true }, null]
}

const publish = uri => {
  const { version } = texts.get(uri)
  const tell = (diagnostics, ms) =>
    setTimeout(() => {
      const about = versions ? { version: version + staleBy } : {}
      send({ method: 'textDocument/publishDiagnostics', params: { uri, ...about, diagnostics } })
    }, ms)
  if (afterthoughtMs > 0) tell([], 0)
  tell(reading ? [] : found(uri), delayMs + afterthoughtMs)
}
const publishAll = () => {
  if (diagnostics === 'push') for (const uri of texts.keys()) publish(uri)
}

const offsetIn = (text, { line, character }) => {
  const lines = text.split('\n')
  const before = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0)
  const own = lines[line] ?? ''
  return before + (encoding === 'utf-8' ? Buffer.from(own).subarray(0, character).toString().length : character)
}

const on = {
  initialize: () => ({
    capabilities: {
      positionEncoding: encoding,
      textDocumentSync: { openClose: true, change: sync, save: { includeText: true } },
      ...(diagnostics === 'pull' ? { diagnosticProvider: { identifier: 'fake', interFileDependencies: true } } : {}),
      hoverProvider: true,
      ...capabilities,
    },
    serverInfo: { name: 'fake', version: '1.2.3' },
  }),
  initialized() {
    if (fault === 'unread') {
      process.stdin.pause()
      setInterval(() => {}, 1000)
    }
    if (reading) {
      const progress = kind =>
        send({ method: '$/progress', params: { token: 'reads', value: { kind, title: 'reads' } } })
      progress('begin')
      setTimeout(() => {
        reading = false
        progress('end')
        publishAll()
      }, readsMs)
    }
    const registrations = [
      {
        id: 'w',
        method: 'workspace/didChangeWatchedFiles',
        registerOptions: { watchers: [{ globPattern: '**/*.fake' }] },
      },
    ]
    const diagnostic = { id: 'd', method: 'textDocument/diagnostic', registerOptions: { documentSelector: null } }
    send({ id: 'reg', method: 'client/registerCapability', params: { registrations } })
    const registered = [...(diagnostics === 'register' ? [diagnostic] : []), ...registersLater]
    if (registered.length === 0) return
    const later = { registrations: registered }
    setTimeout(() => send({ id: 'late', method: 'client/registerCapability', params: later }), 100)
  },
  'textDocument/didOpen'({ textDocument: { uri, text, version } }) {
    texts.set(uri, { text, version })
    publishAll()
  },
  'textDocument/didChange'({ textDocument: { uri, version }, contentChanges }) {
    if (fault === 'dies') process.exit(1)
    if (fault === 'closes') {
      // Node never closes its own input.
      closeSync(0)
      setTimeout(() => process.exit(4), 200)
    }
    let { text } = texts.get(uri)
    for (const { range, text: put } of contentChanges)
      text = range ? text.slice(0, offsetIn(text, range.start)) + put + text.slice(offsetIn(text, range.end)) : put
    texts.set(uri, { text, version })
    publishAll()
  },
  'textDocument/didClose': ({ textDocument: { uri } }) => void texts.delete(uri),
  'workspace/didChangeWatchedFiles'({ changes }) {
    for (const { uri } of changes)
      if (rereads && texts.has(uri)) texts.get(uri).text = readFileSync(fileURLToPath(uri), 'utf8')
  },
  'textDocument/diagnostic'({ textDocument: { uri } }) {
    if (refused++ < refusals) throw { code: -32802, message: 'not now', data: { retriggerRequest: true } }
    return { kind: 'full', items: found(uri) }
  },
  'textDocument/hover': () => ({
    contents: JSON.stringify({ texts: [...texts].map(([uri, each]) => ({ uri, ...each })), told }),
  }),
  'textDocument/completion': () => Array.from({ length: manyItems }, (_, at) => ({ label: `item${at}` })),
  async 'workspace/executeCommand'() {
    for (const edit of commandEdits) {
      send({ id: `edit ${commandEdits.indexOf(edit)}`, method: 'workspace/applyEdit', params: { edit } })
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    return null
  },
  shutdown: () => null,
  exit: () => process.exit(0),
}

let buffer = Buffer.alloc(0)
process.stdin.on('data', bytes => {
  buffer = Buffer.concat([buffer, bytes])
  for (;;) {
    const head = buffer.indexOf('\r\n\r\n')
    const length = Number(/Content-Length: (\d+)/i.exec(buffer.subarray(0, head).toString())?.[1])
    if (head < 0 || buffer.length < head + 4 + length) return
    const message = JSON.parse(buffer.subarray(head + 4, head + 4 + length).toString())
    buffer = buffer.subarray(head + 4 + length)
    take(message)
  }
})
process.stdin.on('end', () => process.exit(0))

async function take({ id, method, params, result: answered }) {
  if (method === undefined) return told.push({ method: `answer ${id}`, params: answered })
  if (method !== 'textDocument/hover') told.push({ method, params })
  if (method === 'initialize' && fault === 'deaf') return
  if (silent.includes(method)) return
  try {
    const about = params?.textDocument?.uri
    const said = JSON.stringify(answers[method])?.replaceAll('$URI', about)
    const fixed = said && JSON.parse(said.replaceAll('$ROOT', pathToFileURL(process.cwd()).href))
    const result = fixed ?? (await on[method]?.(params))
    if (id !== undefined) send({ id, result: result ?? null })
  } catch (error) {
    send({ id, error })
  }
}
