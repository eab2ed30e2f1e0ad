/** What the serialize addon leaves out of a screen: cursor, mouse encoding, scroll region, origin. Watched as it is set. */
import type { Terminal } from '@xterm/headless'

/** DEC private modes that the addon does not write: cursor, mouse encodings, alternate scroll. */
const privateModes = new Map([
  [25, true],
  [1005, false],
  [1006, false],
  [1015, false],
  [1016, false],
  [1007, false],
])

export interface Modes {
  /** To be written after the addon's text. */
  restore(): string
  /** Whether a line that leaves the screen at its top goes to the scrollback, and nowhere else. */
  scrollsFreely(): boolean
}

export function createModes(terminal: Terminal): Modes {
  const set = new Map<number, boolean>()
  let style: string | null = null
  /** Each of the two screens has its own. */
  const regions: Partial<Record<'normal' | 'alternate', { top: number; bottom: number }>> = {}

  const watch = (final: 'h' | 'l') =>
    terminal.parser.registerCsiHandler({ prefix: '?', final }, params => {
      for (const mode of params) {
        if (typeof mode === 'number' && privateModes.has(mode)) set.set(mode, final === 'h')
      }
      return false
    })
  const reset = () => {
    set.clear()
    style = null
    delete regions[terminal.buffer.active.type]
    return false
  }
  watch('h')
  watch('l')
  terminal.parser.registerCsiHandler({ intermediates: ' ', final: 'q' }, params => {
    style = `\x1b[${first(params)} q`
    return false
  })
  terminal.parser.registerCsiHandler({ final: 'r' }, params => {
    const top = first(params) || 1
    const bottom = (typeof params[1] === 'number' && params[1]) || terminal.rows
    if (top === 1 && bottom >= terminal.rows) delete regions[terminal.buffer.active.type]
    else if (top < bottom) regions[terminal.buffer.active.type] = { top, bottom }
    return false
  })
  terminal.parser.registerEscHandler({ final: 'c' }, reset)
  terminal.parser.registerCsiHandler({ intermediates: '!', final: 'p' }, reset)
  terminal.onResize(() => {
    delete regions.normal
    delete regions.alternate
  })
  terminal.buffer.onBufferChange(() => delete regions.alternate)

  return {
    scrollsFreely: () => terminal.buffer.active.type === 'normal' && !regions.normal && !terminal.modes.originMode,
    restore() {
      const changed = [...set].filter(([mode, on]) => privateModes.get(mode) !== on)
      const text = changed.map(([mode, on]) => `\x1b[?${mode}${on ? 'h' : 'l'}`).join('') + (style ?? '')
      const { originMode } = terminal.modes
      const region = regions[terminal.buffer.active.type]
      if (!region && !originMode) return text
      // Both put the cursor home: it is led back, counted from the region's top where the origin is there.
      const { cursorX, cursorY } = terminal.buffer.active
      const row = cursorY + 1 - (originMode && region ? region.top - 1 : 0)
      const limits = region ? `\x1b[${region.top};${region.bottom}r` : ''
      return `${text}${limits}\x1b[${Math.max(1, row)};${Math.min(cursorX, terminal.cols - 1) + 1}H`
    },
  }
}

const first = (params: (number | number[])[]): number => (typeof params[0] === 'number' ? params[0] : 0)
