/** Buttons. An icon button always has a name: it is its tooltip too. */
import type { ButtonHTMLAttributes, ComponentType, ReactNode, Ref } from 'react'
import './button.css'
import { cx } from './cx.ts'
import { Kbd } from './kbd.tsx'
import { Tooltip } from './tooltip.tsx'

export type IconType = ComponentType<{ size?: number | string; className?: string }>

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type'> {
  readonly variant?: 'plain' | 'main' | 'ghost' | 'danger'
  readonly icon?: IconType
  /** A chord shown inside; binding it is the caller's work. */
  readonly keys?: string
  /** Keeps its width and its focus, refuses clicks and says that it is busy. */
  readonly busy?: boolean
  readonly submit?: boolean
  readonly children?: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button(props: ButtonProps) {
  const {
    variant = 'plain',
    icon: Icon,
    keys,
    busy = false,
    submit = false,
    className,
    children,
    onClick,
    ...rest
  } = props
  return (
    <button
      {...rest}
      type={submit ? 'submit' : 'button'}
      className={cx('ui-button', `ui-button-${variant}`, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || rest['aria-disabled'] || undefined}
      onClick={event => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {Icon && <Icon size={14} />}
      {children}
      {keys && <Kbd chord={keys} />}
    </button>
  )
}

export interface IconButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'aria-label' | 'title'> {
  readonly label: string
  readonly icon: IconType
  readonly keys?: string
  /** Makes it a toggle. */
  readonly on?: boolean
  readonly size?: number
  readonly side?: 'top' | 'bottom' | 'left' | 'right'
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, icon: Icon, keys, on, size = 16, side, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} keys={keys} side={side}>
      <button
        {...rest}
        type="button"
        className={cx('ui-icon-button', on && 'ui-on', className)}
        aria-label={label}
        aria-pressed={on}
      >
        <Icon size={size} />
      </button>
    </Tooltip>
  )
}
