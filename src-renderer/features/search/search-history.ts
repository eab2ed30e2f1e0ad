/** What was searched for and put in place before, in this workspace; arrows walk through it. */
import { remembered } from '../../state/view/remember.ts'

const MOST = 50
const none: readonly string[] = []

export interface Walk {
  /** The entry one step older or newer; null where there is none. Newer than the newest is what was typed. */
  step(by: 1 | -1, typed: string): string | null
  /** An entry is shown, not what was typed. */
  readonly walking: boolean
  /** Something was typed: back at the end. */
  reset(): void
  /** Remembers what was used. */
  add(text: string): void
}

export function createHistory(key: string): Walk {
  const kept = remembered<readonly string[]>(key, none)
  /** 0: what is typed. */
  let back = 0
  let draft = ''
  return {
    step(by, typed) {
      const all = kept.get().filter(each => each !== (back === 0 ? typed : draft))
      const next = back + by
      if (next < 0 || next > all.length) return null
      if (back === 0) draft = typed
      back = next
      return back === 0 ? draft : (all[back - 1] ?? null)
    },
    get walking() {
      return back > 0
    },
    reset() {
      back = 0
    },
    add(text) {
      if (text === '') return
      back = 0
      kept.set(all => [text, ...all.filter(each => each !== text)].slice(0, MOST))
    },
  }
}

export const queryHistory = createHistory('searchHistory')
export const replaceHistory = createHistory('replaceHistory')
