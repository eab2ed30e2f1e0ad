/**
 * The one algebra of text edits, used by the sidecar and by every editor. A change set is sorted, its changes lie apart,
 * and all offsets are in the text before it. Law (document-transform.test.ts): for concurrent a, b on one text,
 * apply(apply(text, a), transform(b, a, 'after')) = apply(apply(text, b), transform(a, b, 'before')).
 */
import type { TextChange } from './document.ts'

export type ChangeSet = readonly TextChange[]

export function applyChanges(text: string, changes: ChangeSet): string {
  let out = ''
  let position = 0
  for (const change of changes) {
    out += text.slice(position, change.from) + change.text
    position = change.to
  }
  return out + text.slice(position)
}

/** Whether a set may be applied to a text of `length`: sorted, apart and in range. */
export function isChangeSet(changes: ChangeSet, length: number): boolean {
  let position = 0
  for (const change of changes) {
    if (change.from < position || change.to < change.from || change.to > length) return false
    position = change.to
  }
  return true
}

/** The set that takes `applyChanges(text, changes)` back to `text`. */
export function invertChanges(text: string, changes: ChangeSet): TextChange[] {
  let shift = 0
  return changes.map(change => {
    const from = change.from + shift
    shift += change.text.length - (change.to - change.from)
    return { from, to: from + change.text.length, text: text.slice(change.from, change.to) }
  })
}

/** A step of a set as operations over consecutive stretches: keep n units, drop n units, put text. */
type Step = { keep: number } | { drop: number } | { put: string }

function toSteps(changes: ChangeSet): Step[] {
  const steps: Step[] = []
  let position = 0
  for (const { from, to, text } of changes) {
    if (from > position) steps.push({ keep: from - position })
    if (text) steps.push({ put: text })
    if (to > from) steps.push({ drop: to - from })
    position = to
  }
  return steps
}

function toChanges(steps: readonly Step[]): TextChange[] {
  const changes: TextChange[] = []
  let position = 0
  let open: TextChange | null = null
  const current = (): TextChange => {
    if (!open) {
      open = { from: position, to: position, text: '' }
      changes.push(open)
    }
    return open
  }
  for (const step of steps) {
    if ('keep' in step) {
      if (step.keep > 0) open = null
      position += step.keep
    } else if ('put' in step) current().text += step.put
    else {
      current().to += step.drop
      position += step.drop
    }
  }
  return changes
}

/**
 * `change` rebased over `over`, both made on the same text. Where both insert at one place, `order` says whether
 * `change`'s text stands before or after `over`'s. What either deletes stays deleted; what either inserts stays.
 */
export function transform(change: ChangeSet, over: ChangeSet, order: 'before' | 'after'): TextChange[] {
  const mine = toSteps(change)
  const theirs = toSteps(over)
  const out: Step[] = []
  let i = 0
  let j = 0
  let a: Step | undefined = mine[i]
  let b: Step | undefined = theirs[j]
  const nextA = () => {
    a = mine[++i]
  }
  const nextB = () => {
    b = theirs[++j]
  }
  while (a || b) {
    const aPuts = a !== undefined && 'put' in a
    const bPuts = b !== undefined && 'put' in b
    if (aPuts && (!bPuts || order === 'before')) {
      out.push(a as Step)
      nextA()
      continue
    }
    if (bPuts) {
      out.push({ keep: (b as { put: string }).put.length })
      nextB()
      continue
    }
    if (!a) break
    const size = sizeOf(a)
    const length = b ? Math.min(size, sizeOf(b)) : size
    // What `over` dropped is gone: nothing of it is left to keep or to drop.
    if (!(b && 'drop' in b)) out.push('keep' in a ? { keep: length } : { drop: length })
    if (size === length) nextA()
    else a = shorten(a, length)
    if (b) {
      if (sizeOf(b) === length) nextB()
      else b = shorten(b, length)
    }
  }
  return toChanges(out)
}

const sizeOf = (step: Step): number => ('keep' in step ? step.keep : 'drop' in step ? step.drop : step.put.length)
const shorten = (step: Step, by: number): Step =>
  'keep' in step ? { keep: step.keep - by } : 'drop' in step ? { drop: step.drop - by } : step

/** One set that does `first`, then `second` (made on the text after `first`). */
export function compose(first: ChangeSet, second: ChangeSet): TextChange[] {
  const out: Step[] = []
  const a = toSteps(first)
  const b = toSteps(second)
  let i = 0
  let j = 0
  let x: Step | undefined = a[i]
  let y: Step | undefined = b[j]
  while (x || y) {
    if (x && 'drop' in x) {
      out.push(x)
      x = a[++i]
      continue
    }
    if (y && 'put' in y) {
      out.push(y)
      y = b[++j]
      continue
    }
    if (!x) {
      out.push(y as Step)
      y = b[++j]
      continue
    }
    if (!y) {
      out.push(x)
      x = a[++i]
      continue
    }
    const length = Math.min(sizeOf(x), sizeOf(y))
    if ('keep' in x) out.push('keep' in y ? { keep: length } : { drop: length })
    else if ('put' in x && 'keep' in y) out.push({ put: x.put.slice(0, length) })
    x = sizeOf(x) === length ? a[++i] : 'put' in x ? { put: x.put.slice(length) } : shorten(x, length)
    y = sizeOf(y) === length ? b[++j] : shorten(y, length)
  }
  return toChanges(out)
}

const cuts = (text: string, at: number): boolean => {
  const left = text.charCodeAt(at - 1)
  const right = text.charCodeAt(at)
  return (left === 13 && right === 10) || ((left & 0xfc00) === 0xd800 && (right & 0xfc00) === 0xdc00)
}

/** `change` without what its text and the replaced part of `before` share at their ends. Never cuts a `\r\n` or a surrogate pair. */
export function trimChange({ from, to, text }: TextChange, before: string): TextChange {
  const most = Math.min(to - from, text.length)
  let head = 0
  while (head < most && before.charCodeAt(from + head) === text.charCodeAt(head)) head++
  while (head > 0 && (cuts(before, from + head) || cuts(text, head))) head--
  let tail = 0
  while (tail < most - head && before.charCodeAt(to - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) tail++
  while (tail > 0 && (cuts(before, to - tail) || cuts(text, text.length - tail))) tail--
  return { from: from + head, to: to - tail, text: text.slice(head, text.length - tail) }
}

/** One change that turns `before` into `after`: all between their common ends. Empty where they are equal. */
export const replacement = (before: string, after: string): TextChange[] =>
  before === after ? [] : [trimChange({ from: 0, to: before.length, text: after }, before)]
