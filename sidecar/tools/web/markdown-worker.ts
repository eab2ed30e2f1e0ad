/**
 * Pages are read in a thread of their own, with a limit on memory and time: one that was made to take for ever ends there, and
 * the core goes on. The same file is both ends.
 */
import { parentPort, Worker, workerData } from 'node:worker_threads'
import { BelayError } from '#contract/error'
import { limited } from '../../base/limited.ts'
import { type Markdown, toMarkdown } from './markdown.ts'

const WORK = 'belay:markdown'
const MOST_MS = 15_000
const MOST_MEMORY_MB = 512

interface Work {
  readonly work: typeof WORK
  readonly html: string
  readonly base: string
}

const isWork = (data: unknown): data is Work =>
  typeof data === 'object' && data !== null && (data as { work?: unknown }).work === WORK

if (parentPort && isWork(workerData)) parentPort.postMessage(toMarkdown(workerData.html, workerData.base))

/** Throws words for the model where the page is too much. Ends its thread in any case. */
export async function readAsMarkdown(html: string, base: string, signal: AbortSignal): Promise<Markdown> {
  const here = new URL(import.meta.url)
  // Unbuilt, in a test: threads take no TypeScript.
  if (here.pathname.endsWith('.ts')) return toMarkdown(html, base)
  const data: Work = { work: WORK, html, base }
  const worker = new Worker(here, {
    workerData: data,
    stdin: false,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: 64, stackSizeMb: 8 },
  })
  const within = limited(signal, MOST_MS)
  try {
    return await new Promise<Markdown>((resolve, reject) => {
      const giveUp = () => reject(tooMuch(signal.aborted ? 'it was stopped' : 'it takes too long'))
      if (within.aborted) giveUp()
      within.addEventListener('abort', giveUp, { once: true })
      worker.once('message', resolve)
      worker.once('error', fault => reject(tooMuch(fault.message)))
      worker.once('exit', () => reject(tooMuch('it ended without a word')))
    })
  } finally {
    await worker.terminate()
  }
}

const tooMuch = (why: string): BelayError =>
  new BelayError(
    'too_large',
    `The page came, but it cannot be read as Markdown (${why}). Fetch it with "raw": true, or another page.`,
  )
