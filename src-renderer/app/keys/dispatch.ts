/**
 * One listener for all keys. It never takes a key from a composition (IME), from typing, or from the shell in a terminal,
 * and it runs before editors see the press, so that one chord means one thing everywhere.
 */
import type { CommandContext } from '../../features/commands.ts'
import { type Binding, contexts, type Found, findBinding } from '../../features/settings/bindings.ts'
import { type KeyPress, matches, parseChord } from '../../ui/chord.ts'
import { isMac } from '../../ui/index.ts'

export interface DispatchOptions {
  readonly bindings: () => readonly Binding[]
  readonly run: (binding: Binding) => void
  /** Shown while a chord of several presses is half done; null when it is over. */
  readonly onPending: (presses: readonly KeyPress[] | null) => void
}

const PENDING_MS = 3000

/** Returns the function that ends it. */
export function dispatchKeys(target: Window, options: DispatchOptions): () => void {
  let pending: KeyPress[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const clear = () => {
    if (pending.length === 0) return
    clearTimeout(timer)
    pending = []
    options.onPending(null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229 || event.getModifierState('AltGraph')) return
    if (['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) return
    const focus = event.target instanceof Element ? event.target : null
    if (isRecording(focus) || isBehindDialog(focus) || isOwn(focus, event)) return
    const chain = contextChain(focus)
    const presses = [...pending, pressOf(event)]
    const found = findBinding(options.bindings(), presses, chain)
    if (found.kind === 'none') {
      if (pending.length > 0) swallow(event)
      clear()
      return
    }
    if (pending.length === 0 && belongsElsewhere(event, focus, chain, found)) return
    swallow(event)
    if (found.kind === 'run') {
      clear()
      if (!event.repeat || found.binding.presses.length === 1) options.run(found.binding)
      return
    }
    clearTimeout(timer)
    pending = presses
    timer = setTimeout(clear, PENDING_MS)
    options.onPending(presses)
  }
  target.addEventListener('keydown', onKeyDown, { capture: true })
  target.addEventListener('blur', clear)
  return () => {
    clear()
    target.removeEventListener('keydown', onKeyDown, { capture: true })
    target.removeEventListener('blur', clear)
  }
}

function swallow(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const pressOf = ({ key, code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): KeyPress => ({
  key,
  code,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
})

/** Contexts of the focus, innermost first. */
export function contextChain(focus: Element | null): CommandContext[] {
  const chain: CommandContext[] = []
  for (
    let at = focus?.closest('[data-context]') ?? null;
    at;
    at = at.parentElement?.closest('[data-context]') ?? null
  ) {
    const name = at.getAttribute('data-context') as CommandContext
    if (contexts.includes(name) && !chain.includes(name)) chain.push(name)
  }
  return [...chain, 'global']
}

/** A field that records a key wants all of them. */
const isRecording = (focus: Element | null): boolean => focus?.closest('[data-records-keys]') != null

/** A field that has its own meaning for a chord names it: `data-own-keys="$mod+S"`. */
const isOwn = (focus: Element | null, event: KeyboardEvent): boolean =>
  (focus?.closest('[data-own-keys]')?.getAttribute('data-own-keys') ?? '')
    .split(' ')
    .some(chord => parseChord(chord, isMac())?.some(press => matches(event, press)))

/** A question waits: keys work inside it only. */
const isBehindDialog = (focus: Element | null): boolean =>
  document.querySelector('.ui-dialog[data-state="open"]') !== null && !focus?.closest('[data-commands="on"]')

function belongsElsewhere(
  event: KeyboardEvent,
  focus: Element | null,
  chain: readonly CommandContext[],
  found: Exclude<Found, { kind: 'none' }>,
): boolean {
  const { binding } = found
  const mod = event.ctrlKey || event.metaKey
  // Ctrl and a letter are the shell's, unless the binding was made for terminals or passes the shell by.
  if (
    chain[0] === 'terminal' &&
    binding.when !== 'terminal' &&
    !binding.passesShell &&
    event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    !event.shiftKey &&
    (/^Key[A-Z]$/.test(event.code) || event.key.length === 1) &&
    /^[a-z[\]\\]$/i.test(event.key)
  )
    return true
  if ((chain[0] === 'terminal' && binding.passesShell && mod) || !isEditable(focus)) return false
  // A decision is never made by a key that was meant for a field: Ctrl+Backspace takes a word away there.
  if (binding.when === 'review') return !/^F\d{1,2}$/.test(event.key)
  if (mod && !event.altKey) return /^[zyxcva]$/i.test(event.key) && !(found.kind === 'run' && binding.when === 'editor')
  return !mod && !event.altKey && !/^(F\d{1,2}|Escape)$/.test(event.key)
}

function isEditable(focus: Element | null): boolean {
  if (!(focus instanceof HTMLElement)) return false
  return focus instanceof HTMLTextAreaElement || focus instanceof HTMLInputElement || focus.isContentEditable
}
