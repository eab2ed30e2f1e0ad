/** The window's parts for the keyboard: F6 goes round them, each remembers where the focus was, and the focus is never lost. */

import { personMoved } from '../state/view/attention.ts'

export type PartName = 'title' | 'rail' | 'side' | 'main' | 'bottom' | 'agent' | 'status'
/** In the order of F6. */
const order: readonly PartName[] = ['main', 'bottom', 'agent', 'side', 'rail', 'title', 'status']

const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]:not([tabindex="-1"]), [contenteditable="true"]'
const last = new Map<PartName, HTMLElement>()

/** With these a person moves the focus by hand. */
const moves = ['Tab', 'Escape']

/** Returns the function that ends it. */
export function watchParts(): () => void {
  const onFocus = (event: FocusEvent) => {
    const target = event.target as HTMLElement
    const part = partOf(target)
    if (part) last.set(part, target)
  }
  const onKey = (event: KeyboardEvent) => moves.includes(event.key) && personMoved()
  const end = new AbortController()
  const { signal } = end
  document.addEventListener('focusin', onFocus, { signal })
  document.addEventListener('keydown', onKey, { capture: true, signal })
  document.addEventListener('pointerdown', personMoved, { capture: true, signal })
  return () => end.abort()
}

const partOf = (element: Element | null): PartName | null =>
  (element?.closest('[data-part]')?.getAttribute('data-part') as PartName | null) ?? null

const isShown = (element: HTMLElement): boolean => element.isConnected && element.getClientRects().length > 0

const find = (part: PartName): HTMLElement | null => {
  const element = document.querySelector<HTMLElement>(`[data-part="${part}"]`)
  return element && isShown(element) ? element : null
}

/**
 * Where the focus was in that part, else its `[data-autofocus]`, its first field, its first button. False when it is hidden.
 * `contentOnly`: tabs are none of the content that they lead to.
 */
export function focusPart(part: PartName, contentOnly = false): boolean {
  const element = find(part)
  if (!element) return false
  const before = last.get(part)
  const isMeant = (each: HTMLElement) => isShown(each) && !(contentOnly && each.closest('.ui-tab-bar'))
  const within = (selector: string) => [...element.querySelectorAll<HTMLElement>(selector)].find(isMeant)
  const target =
    (before && isMeant(before) && element.contains(before) ? before : null) ??
    within('[data-autofocus]') ??
    within('textarea:not(:disabled), [role="textbox"], [contenteditable="true"]') ??
    within('[role="tree"], [role="listbox"], [role="grid"]') ??
    within(focusable)
  if (target) target.focus()
  else if (contentOnly) return false
  else {
    element.tabIndex = -1
    element.focus()
  }
  return true
}

/** A part's content may still be loading: about five seconds at 60 frames a second. */
const FRAMES_OF_PATIENCE = 300
/** A closing dialog gives the focus back a moment late: for so many frames after it was taken it stays where it is. */
const FRAMES_OF_GUARD = 12
let claim: AbortController | null = null

/**
 * For a part that is being shown or loaded: focuses what is in it as soon as it is there. The latest command wins; the person's own move
 * (a click, Tab, Escape) wins over the command.
 */
export function focusPartWhenShown(part: PartName): void {
  claim?.abort()
  const own = new AbortController()
  claim = own
  const { signal } = own
  signal.addEventListener('abort', () => {
    if (claim === own) claim = null
  })
  document.addEventListener('pointerdown', () => own.abort(), { capture: true, signal })
  document.addEventListener('keydown', event => moves.includes(event.key) && own.abort(), { capture: true, signal })
  let waited = 0
  const attempt = () => {
    if (signal.aborted) return
    if (focusPart(part, waited < FRAMES_OF_PATIENCE)) return afterFrames(FRAMES_OF_GUARD, () => own.abort())
    if (waited++ > FRAMES_OF_PATIENCE) own.abort()
    else requestAnimationFrame(attempt)
  }
  afterFrames(2, attempt)
}

/** For what has closed: back to where the focus was, unless it is elsewhere by now or a command has claimed it for a part. */
export function giveFocusBack(to: Element | null): void {
  if (claim || document.activeElement !== document.body) return
  if (to instanceof HTMLElement && to !== document.body && isShown(to)) to.focus()
  else focusPart('main')
}

function afterFrames(frames: number, work: () => void): void {
  if (frames === 0) work()
  else requestAnimationFrame(() => afterFrames(frames - 1, work))
}

export function focusNextPart(step: 1 | -1): void {
  const now = partOf(document.activeElement)
  const from = now ? order.indexOf(now) : -1
  for (let tries = 1; tries <= order.length; tries++) {
    const index = ((((from === -1 && step < 0 ? 0 : from) + step * tries) % order.length) + order.length) % order.length
    if (focusPart(order[index] as PartName)) return
  }
}
