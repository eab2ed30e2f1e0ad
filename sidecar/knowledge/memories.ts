/**
 * Notes for later conversations, one readable Markdown file each, in the person's profile. Read from disk at each question, so that
 * a note written by hand or by another window counts like any other.
 */
import { lstat, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { BelayError, toFault } from '#contract/error'
import { MAX_MEMORY_CHARS, type Memory, MemoryName, type MemoryScope } from '#contract/knowledge'
import { writeFileAtomic } from '../base/atomic-file.ts'
import { createSerial } from '../base/serial.ts'

/** Bytes of one scope that are told with every request. */
export const MOST_TOLD_BYTES = 16 * 1024
const MOST_FILES = 500
/** A file that is larger was not meant as a note. */
const MOST_FILE_BYTES = 64 * 1024
const NAME_CHARS = 48
const END = '.md'

export interface Memories {
  /** Newest first, and why a file is not among them. Never rejects. */
  list(): Promise<{ memories: Memory[]; problems: string[] }>
  /** Answers its name. Throws `already_exists` where `name` is taken, and what the disk says. */
  add(text: string, name?: string): Promise<string>
  /** Throws `stale`, `not_found`. */
  change(name: string, before: string, text: string): Promise<void>
  /** Answers what it said. Throws `not_found`. */
  remove(name: string): Promise<string>
}

export function createMemories(folder: string, scope: MemoryScope): Memories {
  const serial = createSerial()
  const fileOf = (name: string) => join(folder, `${MemoryName.parse(name)}${END}`)

  const read = async (name: string): Promise<string> => {
    try {
      return (await readNote(fileOf(name))).text
    } catch (thrown) {
      if (toFault(thrown).code !== 'not_found') throw thrown
      throw new BelayError('not_found', 'This note is not there any more: it was deleted elsewhere.', { cause: thrown })
    }
  }
  return {
    async list() {
      const names = await readdir(folder).catch(() => [])
      const notes = names.filter(name => name.endsWith(END) && !name.startsWith('.'))
      const memories: Memory[] = []
      const problems: string[] = []
      for (const each of notes.slice(0, MOST_FILES)) {
        const file = join(folder, each)
        try {
          const { text, changedAt } = await readNote(file)
          const name = MemoryName.parse(each.slice(0, -END.length))
          if (text !== '') memories.push({ scope, name, text, changedAt, file, told: true })
        } catch (thrown) {
          problems.push(`${each}: ${toFault(thrown).message}`)
        }
      }
      if (notes.length > MOST_FILES) problems.push(`There are more than ${MOST_FILES} notes; the others are not read.`)
      memories.sort((a, b) => b.changedAt - a.changedAt || (a.name < b.name ? -1 : 1))
      return { memories: withinLimit(memories), problems }
    },
    add: (text, name) =>
      serial(async () => {
        const taken = new Set((await readdir(folder).catch(() => [])).map(each => each.toLowerCase()))
        const free = (each: string) => !taken.has(`${each}${END}`.toLowerCase())
        if (name !== undefined && !free(name))
          throw new BelayError('already_exists', 'There is another note of that name by now. Nothing was written.')
        const made = name ?? freeName(text, free)
        await writeFileAtomic(fileOf(made), `${text.trim()}\n`)
        return made
      }),
    change: (name, before, text) =>
      serial(async () => {
        if ((await read(name)) !== before.trim())
          throw new BelayError(
            'stale',
            'This note was changed elsewhere meanwhile. Yours was not written: look at both.',
          )
        await writeFileAtomic(fileOf(name), `${text.trim()}\n`)
      }),
    remove: name =>
      serial(async () => {
        const text = await read(name)
        await unlink(fileOf(name))
        return text
      }),
  }
}

async function readNote(file: string): Promise<{ text: string; changedAt: number }> {
  const facts = await lstat(file)
  if (!facts.isFile()) throw new BelayError('invalid', 'it is no plain file.')
  if (facts.size > MOST_FILE_BYTES) throw new BelayError('too_large', `it is larger than ${MOST_FILE_BYTES / 1024} KB.`)
  const text = (await readFile(file, 'utf8')).trim()
  if (text.length > MAX_MEMORY_CHARS)
    throw new BelayError('too_large', `it has more than ${MAX_MEMORY_CHARS} characters; write several notes.`)
  return { text, changedAt: facts.mtimeMs }
}

/** Where all are too much, the newest are told. */
function withinLimit(newestFirst: readonly Memory[]): Memory[] {
  let left = MOST_TOLD_BYTES
  return newestFirst.map(memory => {
    left -= Buffer.byteLength(memory.text)
    return { ...memory, told: left >= 0 }
  })
}

/** The first words, as the name of a file that any system takes. */
function freeName(text: string, free: (name: string) => boolean): string {
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[a-z0-9]+/g) ?? []
  const start = words.join('-').slice(0, NAME_CHARS).replace(/-+$/, '') || 'note'
  for (let n = 1; ; n++) {
    const name = n === 1 ? start : `${start}-${n}`
    if (free(name)) return name
  }
}
