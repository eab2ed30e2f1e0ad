/** A small act at the end of a list's row. For the mouse; the menu and the keys of the list do the same. */
import type { MouseEvent } from 'react'
import type { IconType } from './button.tsx'

export interface RowButtonProps {
  readonly label: string
  readonly icon: IconType
  onClick(): void
}

export function RowButton({ label, icon: Icon, onClick }: RowButtonProps) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-hidden
      title={label}
      className="ui-row-button"
      onClick={(event: MouseEvent) => {
        event.stopPropagation()
        onClick()
      }}
    >
      <Icon size={13} />
    </button>
  )
}
