/**
 * One line of a log: `<bytes of the JSON, hex> <CRC-32 of it, hex> <JSON>\n`. A line that does not match its own length
 * and checksum is never believed; a raw newline cannot occur inside the JSON, so reading finds its feet at the next line.
 */
import { crc32 } from 'node:zlib'

export type LogRecord = Record<string, unknown>

const HEADER = /^([0-9a-f]{8}) ([0-9a-f]{8}) $/
/** Bytes before the JSON. */
export const HEADER_BYTES = 18
const NEWLINE = 10

const hex8 = (value: number): string => value.toString(16).padStart(8, '0')

export function encodeRecord(record: LogRecord): Buffer {
  const json = Buffer.from(JSON.stringify(record), 'utf8')
  return Buffer.concat([Buffer.from(`${hex8(json.length)} ${hex8(crc32(json))} `, 'latin1'), json, Buffer.of(NEWLINE)])
}

/** The record of one line (without its newline), or null where the line is damaged. */
export function decodeRecord(line: Buffer): LogRecord | null {
  const header = HEADER.exec(line.toString('latin1', 0, HEADER_BYTES))
  if (!header) return null
  const json = line.subarray(HEADER_BYTES)
  if (hex8(json.length) !== header[1] || hex8(crc32(json)) !== header[2]) return null
  try {
    const value: unknown = JSON.parse(json.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as LogRecord) : null
  } catch {
    return null
  }
}

/** Complete lines of `bytes`, and what is left after the last newline. */
export function splitLines(bytes: Buffer): { lines: Buffer[]; rest: Buffer } {
  const lines: Buffer[] = []
  let from = 0
  for (let to = bytes.indexOf(NEWLINE); to !== -1; to = bytes.indexOf(NEWLINE, from)) {
    lines.push(bytes.subarray(from, to))
    from = to + 1
  }
  return { lines, rest: bytes.subarray(from) }
}
