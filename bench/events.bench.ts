/**
 * What the event layer costs for each delta: frames of a dialect through its parser, the normaliser, the accumulator and the filter,
 * against the bare reading of the same frames (JSON.parse). Bar: 0.05 ms a delta. Without a network: `bench/turn` has one.
 */
import type { ChatEvent, ChatEventDraft } from '../sidecar/contract/chat-event.ts'
import { dialects } from '../sidecar/model/dialects/index.ts'
import { respond } from '../sidecar/model/response.ts'

const DELTAS = 50_000
const BAR_MS = 0.05

const text = (n: number) => `word ${n} `
const frames: Record<string, (n: number) => object> = {
  anthropic: n => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: text(n) } }),
  'openai-chat': n => ({ id: 'x', choices: [{ index: 0, delta: { content: text(n) }, finish_reason: null }] }),
}

for (const [name, frame] of Object.entries(frames)) {
  const data = Array.from({ length: DELTAS }, (_, n) => JSON.stringify(frame(n)))
  const bare = await medianOf(() => {
    for (const each of data) JSON.parse(each)
  })
  const whole = await medianOf(async () => {
    const parser = dialects[name as keyof typeof dialects].parser()
    const drafts = async function* (): AsyncGenerator<ChatEventDraft> {
      for (const each of data) yield* parser.next({ event: null, data: each })
    }
    let last: ChatEvent | null = null
    for await (const event of respond(drafts(), new AbortController().signal)) last = event
    if (last?.response?.text.length !== data.map((_, n) => text(n)).join('').length) throw new Error('text was lost')
  })
  const perDelta = (whole - bare) / DELTAS
  console.log(
    `${name.padEnd(12)} ${perDelta.toFixed(4)} ms a delta over JSON.parse alone (bar ${BAR_MS}: ${perDelta < BAR_MS ? 'met' : 'MISSED'}), ${(whole / bare).toFixed(1)} x`,
  )
}

/** CPU time in ms. */
function cpu(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
async function medianOf(run: () => void | Promise<void>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const began = cpu()
    await run()
    times.push(cpu() - began)
  }
  return times.sort((a, b) => a - b)[2] ?? Number.NaN
}
