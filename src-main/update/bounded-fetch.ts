/** What the updater asks of the network: so many bytes, so long, from where it asked and nowhere else. */
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { failed } from './failure.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Small things whole. Rejects with a reason. */
export async function fetchBytes(
  fetch: Fetch,
  url: string,
  limits: { mostBytes: number; timeoutMs: number },
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const timer = AbortSignal.timeout(limits.timeoutMs)
  await read(fetch, url, { signal: timer, timedOut: () => timer.aborted }, async chunk => {
    bytes += chunk.length
    if (bytes > limits.mostBytes) throw failed('tooLarge', new URL(url).pathname)
    chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

export interface Wanted {
  readonly bytes: number
  /** Base64. */
  readonly sha512: string
}

/**
 * A file to `target`, which is what `wanted` says or the promise rejects with a reason; the caller removes what came of it.
 * Silent for `idleMs`, it is given up.
 */
export async function fetchFile(
  fetch: Fetch,
  url: string,
  options: { target: string; wanted: Wanted; idleMs: number; signal: AbortSignal; progress(doneBytes: number): void },
): Promise<void> {
  const { wanted, signal } = options
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), options.idleMs)
  const hash = createHash('sha512')
  let bytes = 0
  const file = await onDisk(open(options.target, 'w', 0o600))
  try {
    const ends = { signal: AbortSignal.any([signal, silence.signal]), timedOut: () => silence.signal.aborted }
    await read(fetch, url, ends, async chunk => {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), options.idleMs)
      bytes += chunk.length
      if (bytes > wanted.bytes) throw failed('tooLarge', `${wanted.bytes}`)
      hash.update(chunk)
      await write(file, chunk)
      options.progress(bytes)
    })
    if (bytes !== wanted.bytes || hash.digest('base64') !== wanted.sha512) throw failed('damaged')
    await onDisk(file.sync())
  } finally {
    clearTimeout(timer)
    await file.close()
  }
}

async function read(
  fetch: Fetch,
  url: string,
  ends: { signal: AbortSignal; timedOut: () => boolean },
  take: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  const lost = (thrown: unknown) => {
    if (ends.timedOut()) return failed('timeout')
    const { message = '', cause } = thrown as { message?: string; cause?: { message?: string; code?: string } }
    if (/redirect/i.test(`${message} ${cause?.message ?? ''}`)) return failed('redirected')
    return failed('offline', cause?.code ?? (/net::\w+/.exec(message)?.[0] || null))
  }
  const response = await fetch(url, {
    // Elsewhere would be told who asks, and what for.
    redirect: 'error',
    credentials: 'omit',
    cache: 'no-store',
    signal: ends.signal,
  }).catch(thrown => {
    throw lost(thrown)
  })
  try {
    if (response.status !== 200) throw failed('refused', String(response.status))
    const body = response.body?.getReader()
    while (body) {
      const { done, value } = await body.read().catch(thrown => {
        throw lost(thrown)
      })
      if (done) break
      await take(value)
    }
  } catch (thrown) {
    void response.body?.cancel().catch(() => {})
    throw thrown
  }
}

async function write(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await onDisk(file.write(chunk, at))).bytesWritten
}

const onDisk = <T>(done: Promise<T>): Promise<T> =>
  done.catch(thrown => {
    throw failed('disk', (thrown as NodeJS.ErrnoException).code ?? null)
  })
