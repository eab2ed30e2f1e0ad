/** A menu as data, the same for a drop-down and for a right click. */
import type { IconType } from './button.tsx'

export type MenuEntry =
  | {
      readonly kind?: 'item'
      readonly id: string
      readonly label: string
      /** A second, dimmer line. */
      readonly note?: string
      readonly icon?: IconType
      readonly keys?: string
      readonly disabled?: boolean
      readonly danger?: boolean
      /** Given: a check mark (or the room for one) stands before the label. */
      readonly checked?: boolean
      readonly onSelect: () => void
    }
  | { readonly kind: 'submenu'; readonly id: string; readonly label: string; readonly entries: readonly MenuEntry[] }
  | { readonly kind: 'label'; readonly id: string; readonly label: string }
  | { readonly kind: 'separator'; readonly id: string }

/** A list, or a function that is asked when the menu opens. */
export type MenuEntries = readonly MenuEntry[] | (() => readonly MenuEntry[])
export const readEntries = (entries: MenuEntries): readonly MenuEntry[] =>
  typeof entries === 'function' ? entries() : entries
