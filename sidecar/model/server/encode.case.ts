/** Frames as bytes: events or lines, and in what pieces they travel. */
import type { PlayedAnswer, Sending, Speaker, WireFrame } from './script.case.ts'

/** Each frame's text with its end, as often as it is sent, as many as are sent. */
export function frameTexts(speaker: Speaker, answer: PlayedAnswer, model: string): string[] {
  const { sending = {} } = answer
  const frames = speaker.frames(answer, model)
  const sent = frames.flatMap(frame => Array.from({ length: sending.times ?? 1 }, () => frame))
  return sent.slice(0, sending.cutAfter ?? sent.length).map(frame => textOf(frame, speaker, sending))
}

function textOf({ event, data }: WireFrame, { framing }: Speaker, { lineEnd = '\n', comments }: Sending): string {
  const json = typeof data === 'string' ? data : JSON.stringify(data)
  const lines =
    framing === 'lines'
      ? [json]
      : [...(comments ? [': nothing'] : []), ...(event ? [`event: ${event}`] : []), `data: ${json}`, '']
  return lines.map(line => `${line}${lineEnd}`).join('')
}

export function encode(texts: readonly string[], { byteOrderMark, pieces }: Sending): Buffer[] {
  const bytes = Buffer.from(`${byteOrderMark ? '\uFEFF' : ''}${texts.join('')}`)
  if (!pieces || pieces.length === 0) return bytes.length === 0 ? [] : [bytes]
  const out: Buffer[] = []
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.max(1, pieces[i % pieces.length] ?? 1)
    out.push(bytes.subarray(at, at + size))
    at += size
  }
  return out
}
