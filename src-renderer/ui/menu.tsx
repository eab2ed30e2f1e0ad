/** Drop-down and right-click menus from one description; keyboard, type-ahead and roles are radix's. */
import { Check, ChevronRight } from 'lucide-react'
import { DropdownMenu, ContextMenu as RadixContext } from 'radix-ui'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Kbd } from './kbd.tsx'
import { type MenuEntries, type MenuEntry, readEntries } from './menu-entry.ts'
import './overlay.css'

type Parts = Pick<
  typeof DropdownMenu,
  'Item' | 'CheckboxItem' | 'Label' | 'Separator' | 'Sub' | 'SubTrigger' | 'SubContent' | 'Portal'
>

export interface MenuProps {
  /** One element that takes a ref; it gets the roles. */
  readonly children: ReactNode
  readonly entries: MenuEntries
  readonly align?: 'start' | 'center' | 'end'
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  /** Where the focus goes when it closes; default: the trigger, unless it has been moved. Call `event.preventDefault()` when you move it. */
  readonly onCloseAutoFocus?: (event: Event) => void
}

export function Menu({
  children,
  entries,
  align = 'start',
  side = 'bottom',
  open,
  onOpenChange,
  onCloseAutoFocus,
}: MenuProps) {
  return (
    <DropdownMenu.Root open={open} onOpenChange={onOpenChange} modal={false}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className="ui-menu"
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus ?? leaveMoved}
        >
          <Entries parts={DropdownMenu} entries={entries} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

export interface ContextMenuProps {
  readonly children: ReactNode
  readonly entries: MenuEntries
  readonly onOpenChange?: (open: boolean) => void
}

/** Opens by right click, Shift+F10 and the menu key on what it wraps. */
export function ContextMenu({ children, entries, onOpenChange }: ContextMenuProps) {
  return (
    <RadixContext.Root onOpenChange={onOpenChange} modal={false}>
      <RadixContext.Trigger asChild>{children}</RadixContext.Trigger>
      <RadixContext.Portal>
        <RadixContext.Content className="ui-menu" collisionPadding={8} onCloseAutoFocus={leaveMoved}>
          <Entries parts={RadixContext as unknown as Parts} entries={entries} />
        </RadixContext.Content>
      </RadixContext.Portal>
    </RadixContext.Root>
  )
}

/** What was chosen may have moved the focus by now: there it stays. */
function leaveMoved(event: Event): void {
  const now = document.activeElement
  if (now && now !== document.body && !now.closest('.ui-menu')) event.preventDefault()
}

function Entries({ parts, entries }: { readonly parts: Parts; readonly entries: MenuEntries }) {
  return readEntries(entries).map(entry => <Entry key={entry.id} parts={parts} entry={entry} />)
}

function Entry({ parts, entry }: { readonly parts: Parts; readonly entry: MenuEntry }) {
  if (entry.kind === 'separator') return <parts.Separator className="ui-menu-separator" />
  if (entry.kind === 'label') return <parts.Label className="ui-menu-label">{entry.label}</parts.Label>
  if (entry.kind === 'submenu')
    return (
      <parts.Sub>
        <parts.SubTrigger className="ui-menu-item">
          <span className="ui-menu-text">{entry.label}</span>
          <ChevronRight size={14} />
        </parts.SubTrigger>
        <parts.Portal>
          <parts.SubContent className="ui-menu" sideOffset={2} collisionPadding={8}>
            <Entries parts={parts} entries={entry.entries} />
          </parts.SubContent>
        </parts.Portal>
      </parts.Sub>
    )
  const inside = (
    <>
      {entry.checked !== undefined && <span className="ui-menu-check">{entry.checked && <Check size={14} />}</span>}
      {entry.icon && <entry.icon size={14} />}
      <span className="ui-menu-text">
        {entry.label}
        {entry.note && <span className="ui-menu-note">{entry.note}</span>}
      </span>
      {entry.keys && <Kbd chord={entry.keys} />}
    </>
  )
  const common = {
    className: cx('ui-menu-item', entry.danger && 'ui-menu-danger'),
    disabled: entry.disabled,
    onSelect: entry.onSelect,
  }
  return entry.checked === undefined ? (
    <parts.Item {...common}>{inside}</parts.Item>
  ) : (
    <parts.CheckboxItem {...common} checked={entry.checked}>
      {inside}
    </parts.CheckboxItem>
  )
}
