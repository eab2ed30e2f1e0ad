/** What the lines of a journal come to: the writes in order, the checkpoints, what is under way. */
import type { Entry, Line } from './journal.ts'

type OpenEntry = Extract<Entry, { t: 'open' }>
type Taken = Extract<Entry, { t: 'checkpoint' }>

export interface Knowledge {
  /** Names the journal these are of. */
  readonly journal: string
  /** Of the last line; 0 for none. */
  readonly seq: number
  readonly lines: readonly Line[]
  readonly checkpoints: ReadonlyMap<string, Taken>
  readonly lastCheckpoint: Taken | null
  readonly open: ReadonlyMap<string, OpenEntry & { loose: boolean }>
  add(entry: Entry): void
  forget(): void
  after(seq: number): Line[]
  linesOf(path: string): Line[]
  /** What a journal without its first lines, up to that one, says. */
  without(seq: number): Entry[]
}

export function createKnowledge(): Knowledge {
  let journal = ''
  let seq = 0
  let lines: Line[] = []
  let last: Taken | null = null
  let byPath = new Map<string, Line[]>()
  const checkpoints = new Map<string, Taken>()
  const open = new Map<string, OpenEntry & { loose: boolean }>()

  return {
    get journal() {
      return journal
    },
    get seq() {
      return seq
    },
    get lines() {
      return lines
    },
    get lastCheckpoint() {
      return last
    },
    checkpoints,
    open,
    add(entry) {
      if (entry.t === 'journal') {
        journal = entry.id
        seq = entry.seq
      } else if (entry.t === 'write') {
        const { t, ...line } = entry
        seq = line.seq
        lines.push(line)
        const known = byPath.get(line.path)
        if (known) known.push(line)
        else byPath.set(line.path, [line])
      } else if (entry.t === 'checkpoint') {
        last = entry
        checkpoints.set(entry.id, entry)
      } else if (entry.t === 'open') open.set(entry.id, { ...entry, loose: false })
      else if (entry.t === 'closed') open.delete(entry.id)
      else {
        const known = open.get(entry.id)
        if (known) known.loose = true
      }
    },
    forget() {
      lines = []
      byPath = new Map()
      last = null
      checkpoints.clear()
      open.clear()
    },
    after: from => lines.slice(firstAfter(lines, from)),
    linesOf: path => [...(byPath.get(path) ?? [])],
    without(dropped) {
      const kept = lines.slice(firstAfter(lines, dropped)).map((line): Entry => ({ t: 'write', ...line }))
      const taken = [...checkpoints.values()].filter(each => each.seq >= dropped)
      const under = [...open.values()].flatMap(({ loose, ...entry }): Entry[] => [
        { ...entry, seq: Math.max(entry.seq, dropped) },
        ...(loose ? [{ t: 'loosened' as const, id: entry.id }] : []),
      ])
      return [...kept, ...taken, ...under]
    },
  }
}

function firstAfter(lines: readonly Line[], seq: number): number {
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.seq ?? 0) > seq) high = middle
    else low = middle + 1
  }
  return low
}
