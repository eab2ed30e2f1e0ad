import { afterEach, describe, expect, test } from 'vitest'
import type { KeyBinding } from '#contract/settings'
import { buildBindings, chordOf, findBinding } from '../../features/settings/bindings.ts'
import { type KeyPress, matches, type Press, parseChord, sameChordKey, writeChord } from '../../ui/chord.ts'
import { dispatchKeys } from './dispatch.ts'

const key = (press: string, code: string, mods = ''): KeyPress => ({
  key: press,
  code,
  ctrlKey: mods.includes('c'),
  metaKey: mods.includes('m'),
  altKey: mods.includes('a'),
  shiftKey: mods.includes('s'),
})
const one = (chord: string, mac = false) => parseChord(chord, mac)?.[0] as Press

describe('chords', () => {
  test.each([
    ['$mod+P', key('p', 'KeyP', 'c'), true],
    ['$mod+P', key('P', 'KeyP', 'cs'), false],
    ['$mod+Shift+P', key('P', 'KeyP', 'cs'), true],
    // Dvorak: the letter counts, not its place.
    ['$mod+P', key('p', 'KeyR', 'c'), true],
    ['$mod+P', key('l', 'KeyP', 'c'), false],
    // Russian: the place counts.
    ['$mod+P', key('з', 'KeyP', 'c'), true],
    ['$mod+Shift+5', key('%', 'Digit5', 'cs'), true],
    ['$mod+1', key('&', 'Digit1', 'c'), true],
    ['$mod+Shift+`', key('~', 'Backquote', 'cs'), true],
    ['$mod+,', key('б', 'Comma', 'c'), true],
    ['$mod++', key('+', 'NumpadAdd', 'c'), true],
    ['Alt+ArrowLeft', key('ArrowLeft', 'ArrowLeft', 'a'), true],
    ['F1', key('F1', 'F1'), true],
  ])('%s', (chord, event, expected) => {
    expect(matches(event, one(chord))).toBe(expected)
  })

  test('on a Mac $mod is Cmd', () => {
    expect(matches(key('p', 'KeyP', 'm'), one('$mod+P', true))).toBe(true)
    expect(matches(key('p', 'KeyP', 'c'), one('$mod+P', true))).toBe(false)
  })

  test('what is written is read back', () => {
    for (const event of [
      key('p', 'KeyP', 'cs'),
      key('~', 'Backquote', 'cs'),
      key('ArrowUp', 'ArrowUp', 'a'),
      key(' ', 'Space', 'c'),
    ])
      expect(matches(event, one(writeChord(event, false) ?? ''))).toBe(true)
    expect(writeChord(key('Shift', 'ShiftLeft', 's'), false)).toBe(null)
  })

  test('nonsense is no chord, and spelling does not matter', () => {
    expect(parseChord('Hyper+P', false)).toBe(null)
    expect(parseChord('', false)).toBe(null)
    expect(sameChordKey('Shift+$mod+p', false)).toBe(sameChordKey('$mod+Shift+P', false))
  })
})

describe('bindings', () => {
  const shiftF = key('F', 'KeyF', 'cs')
  const found = (bindings: ReturnType<typeof buildBindings>, presses: KeyPress[], ...chain: string[]) => {
    const result = findBinding(bindings, presses, [...chain, 'global'] as never)
    return result.kind === 'run' ? result.binding.command : result.kind
  }

  test('the inner context wins; outside it the global one', () => {
    const bindings = buildBindings([], false)
    expect(found(bindings, [shiftF], 'terminal')).toBe('terminal.find')
    expect(found(bindings, [shiftF], 'editor')).toBe('search.show')
  })

  test('two presses wait for the second', () => {
    const bindings = buildBindings([], false)
    const k = key('k', 'KeyK', 'c')
    expect(found(bindings, [k])).toBe('pending')
    expect(found(bindings, [k, key('s', 'KeyS', 'c')])).toBe('app.keymap')
    expect(found(bindings, [k, key('x', 'KeyX')])).toBe('none')
  })

  test('a keymap adds, overrides and takes away', () => {
    const bindings = buildBindings(
      [
        { key: '$mod+P', command: 'app.palette' },
        { key: '$mod+B', command: null },
        { key: 'Alt+S', command: 'app.settings', when: 'editor' },
        { key: 'Alt+X', command: 'no.such' },
        { key: 'Hyper+X', command: 'app.settings' },
      ],
      false,
    )
    expect(found(bindings, [key('p', 'KeyP', 'c')])).toBe('app.palette')
    expect(found(bindings, [key('b', 'KeyB', 'c')])).toBe('none')
    expect(found(bindings, [key('s', 'KeyS', 'a')], 'editor')).toBe('app.settings')
    expect(found(bindings, [key('s', 'KeyS', 'a')])).toBe('none')
    expect(chordOf(bindings, 'app.palette')).toBe('$mod+P')
    expect(chordOf(bindings, 'app.settings')).toBe('Alt+S')
    expect(chordOf(bindings, 'app.toggleSide')).toBe(undefined)
  })
})

describe('the listener', () => {
  const ran: string[] = []
  let stop: (() => void) | undefined
  const start = (keymap: KeyBinding[] = []) => {
    ran.length = 0
    const bindings = buildBindings(keymap, false)
    stop = dispatchKeys(window, {
      bindings: () => bindings,
      run: binding => ran.push(binding.command),
      onPending: () => {},
    })
  }
  afterEach(() => {
    stop?.()
    document.body.replaceChildren()
  })
  const press = (on: Element, init: KeyboardEventInit) => {
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init })
    on.dispatchEvent(event)
    return event.defaultPrevented
  }
  const within = (context: string, tag: string) => {
    const outer = document.createElement('div')
    outer.dataset.context = context
    const inner = document.createElement(tag)
    outer.append(inner)
    document.body.append(outer)
    return inner
  }

  test('leaves compositions, typing and the shell alone', () => {
    start()
    const field = within('explorer', 'input')
    expect(press(field, { key: 'p', code: 'KeyP', ctrlKey: true, isComposing: true })).toBe(false)
    expect(press(field, { key: 'Delete', code: 'Delete' })).toBe(false)
    expect(press(field, { key: 'z', code: 'KeyZ', ctrlKey: true })).toBe(false)
    const shell = within('terminal', 'textarea')
    expect(press(shell, { key: 'o', code: 'KeyO', ctrlKey: true })).toBe(false)
    expect(ran).toEqual([])
    expect(press(shell, { key: '`', code: 'Backquote', ctrlKey: true })).toBe(true)
    expect(press(within('explorer', 'div'), { key: 'Delete', code: 'Delete' })).toBe(true)
    expect(press(field, { key: 'p', code: 'KeyP', ctrlKey: true })).toBe(true)
    expect(ran).toEqual(['terminal.toggle', 'explorer.delete', 'app.findFile'])
  })

  test('in a shell a person’s own chords count, also of two presses; what they freed is the shell’s', () => {
    start([
      { key: '$mod+J', command: 'search.show' },
      { key: '$mod+Y $mod+S', command: 'app.settings' },
      { key: '$mod+`', command: null },
      { key: '$mod+B', command: null },
      { key: '$mod+E', command: 'app.toggleSide' },
    ])
    const shell = within('terminal', 'textarea')
    expect(press(shell, { key: 'j', code: 'KeyJ', ctrlKey: true })).toBe(true)
    expect(press(shell, { key: 'y', code: 'KeyY', ctrlKey: true })).toBe(true)
    expect(press(shell, { key: 's', code: 'KeyS', ctrlKey: true })).toBe(true)
    expect(press(shell, { key: 'k', code: 'KeyK', ctrlKey: true })).toBe(false)
    expect(press(shell, { key: '`', code: 'Backquote', ctrlKey: true })).toBe(false)
    expect(press(shell, { key: 'b', code: 'KeyB', ctrlKey: true })).toBe(false)
    expect(press(shell, { key: 'e', code: 'KeyE', ctrlKey: true })).toBe(true)
    expect(press(shell, { key: 'p', code: 'KeyP', ctrlKey: true })).toBe(true)
    expect(ran).toEqual(['search.show', 'app.settings', 'app.toggleSide', 'app.findFile'])
  })

  test('a dialog that asks keeps the keys', () => {
    start()
    const dialog = document.createElement('div')
    dialog.className = 'ui-dialog'
    dialog.dataset.state = 'open'
    document.body.append(dialog)
    expect(press(dialog, { key: 'b', code: 'KeyB', ctrlKey: true })).toBe(false)
    expect(ran).toEqual([])
  })
})
