/** Windows into files too large to hold: cut at line starts where one is near, never inside a character. */
import { type Encoding, type LineEnd, SLICE_BYTES } from '#contract/document'
import { decode, decodeAs, lineEndOf } from './codec.ts'
import { factsOf, readRange } from './disk-file.ts'
import { createLineIndex, type LineIndex } from './line-index.ts'
import type { OpenText } from './open-text.ts'

export interface Slice {
  readonly binary: boolean
  readonly text: string
  readonly encoding: Encoding
  readonly lineEnd: LineEnd
  readonly offset: number
  readonly nextOffset: number | null
}

/** Bytes looked back for a line start, and given up at the end for a whole last line. */
const NEAR_BYTES = 16 * 1024

const indices = new WeakMap<OpenText, LineIndex>()

/** A window for an open document, with the number of its first line. Throws `not_found`. */
export async function sliceOf(opened: OpenText, at: { offset: number } | { line: number }) {
  const { absolute } = opened
  const index = indices.get(opened) ?? createLineIndex(absolute)
  indices.set(opened, index)
  const counted = !opened.state.encoding.startsWith('utf16')
  const wanted = 'offset' in at ? at.offset : counted ? await index.offsetOf(at.line) : 0
  const { text, offset, nextOffset } = await readSlice(absolute, wanted, SLICE_BYTES)
  const bytes = (await factsOf(absolute))?.bytes ?? 0
  return { text, offset, nextOffset, bytes, line: counted ? await index.lineAt(offset) : null }
}

/** Throws `not_found`. Bytes that are no UTF-8 are shown as U+FFFD: a slice is only ever looked at. */
export async function readSlice(absolute: string, offset: number, length: number): Promise<Slice> {
  const total = (await factsOf(absolute))?.bytes ?? 0
  const head = await readRange(absolute, 0, 4)
  const mark = decode(head.subarray(0, 2))
  const wide =
    mark.kind === 'text' && mark.encoding.startsWith('utf16') ? (mark.encoding as 'utf16le' | 'utf16be') : null
  const wanted = Math.min(offset, Math.max(0, total - 1))
  if (wide) return wideSlice(absolute, wanted, length, total, wide)
  const back = Math.min(wanted, NEAR_BYTES)
  const bytes = await readRange(absolute, wanted - back, back + length)
  const start = back === 0 ? 0 : startOf(bytes, back)
  const reachedEnd = wanted - back + bytes.length >= total
  const end = reachedEnd ? bytes.length : endOf(bytes, start)
  const part = bytes.subarray(start, end)
  const text = part.toString('utf8')
  return {
    binary: part.subarray(0, 8000).includes(0),
    text: wanted === 0 && text.startsWith('\uFEFF') ? text.slice(1) : text,
    encoding: text.startsWith('\uFEFF') && wanted === 0 ? 'utf8bom' : 'utf8',
    lineEnd: lineEndOf(text),
    offset: wanted - back + start,
    nextOffset: reachedEnd ? null : wanted - back + end,
  }
}

const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function startOf(bytes: Buffer, wanted: number): number {
  const line = bytes.lastIndexOf(10, wanted - 1)
  if (line >= 0) return line + 1
  let start = wanted
  while (start > 0 && wanted - start < 4 && continues(bytes[start])) start--
  return start
}

function endOf(bytes: Buffer, start: number): number {
  const line = bytes.lastIndexOf(10)
  if (line > start && bytes.length - line < NEAR_BYTES) return line + 1
  let end = bytes.length
  while (end > start + 1 && bytes.length - end < 4 && continues(bytes[end - 1])) end--
  const lead = bytes[end - 1] ?? 0
  const needs = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return bytes.length - (end - 1) >= needs ? bytes.length : end - 1
}

async function wideSlice(
  absolute: string,
  wanted: number,
  length: number,
  total: number,
  encoding: 'utf16le' | 'utf16be',
): Promise<Slice> {
  const offset = Math.max(2, wanted - (wanted % 2))
  const body = await readRange(absolute, offset, length)
  const even = body.subarray(0, body.length - (body.length % 2))
  const mark = encoding === 'utf16le' ? [0xff, 0xfe] : [0xfe, 0xff]
  const text = decodeAs(Buffer.concat([Buffer.from(mark), even]), encoding) ?? ''
  const reachedEnd = offset + body.length >= total
  return {
    binary: false,
    text,
    encoding,
    lineEnd: lineEndOf(text),
    offset,
    nextOffset: reachedEnd ? null : offset + even.length,
  }
}
