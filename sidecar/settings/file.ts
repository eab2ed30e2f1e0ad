/** One small file kept in memory and written whole. Reading never throws: what cannot be read is empty and says why. */
import { lstatSync, readFileSync, statSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { BelayError, toFault } from '#contract/error'
import { writeFileAtomic } from '../base/atomic-file.ts'

const MAX_BYTES = 1_000_000

export interface TextFile {
  readonly absolute: string
  readonly text: string
  readonly exists: boolean
  /** Why it could not be read; null when it could, or is not there. */
  readonly fault: string | null
  /** Reads it again; true when what it says differs. */
  reload(): boolean
  /** Throws in words where it cannot be written; memory then stays as it was. A link is followed, not replaced. */
  write(text: string): Promise<void>
}

export function openTextFile(absolute: string): TextFile {
  let state = read(absolute)
  return {
    absolute,
    get text() {
      return state.text
    },
    get exists() {
      return state.exists
    },
    get fault() {
      return state.fault
    },
    reload() {
      const before = state
      state = read(absolute)
      return state.text !== before.text || state.fault !== before.fault || state.exists !== before.exists
    },
    async write(text) {
      try {
        const isLink = lstatSync(absolute, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
        await writeFileAtomic(isLink ? await realpath(absolute) : absolute, text, modeOf(absolute))
      } catch (fault) {
        const { code, message } = toFault(fault)
        throw new BelayError(code, `${absolute} could not be written, so nothing changed: ${message}`, { cause: fault })
      }
      state = { text, exists: true, fault: null }
    },
  }
}

const modeOf = (absolute: string): number => (statSync(absolute, { throwIfNoEntry: false })?.mode ?? 0o600) & 0o777

function read(absolute: string): { text: string; exists: boolean; fault: string | null } {
  try {
    const stat = statSync(absolute, { throwIfNoEntry: false })
    if (!stat) return { text: '', exists: false, fault: null }
    if (!stat.isFile()) return { text: '', exists: true, fault: 'It is not a file.' }
    if (stat.size > MAX_BYTES) return { text: '', exists: true, fault: 'It is larger than 1 MB.' }
    return { text: readFileSync(absolute, 'utf8'), exists: true, fault: null }
  } catch (fault) {
    const { code, message } = toFault(fault)
    return { text: '', exists: code !== 'not_found', fault: code === 'not_found' ? null : message }
  }
}
