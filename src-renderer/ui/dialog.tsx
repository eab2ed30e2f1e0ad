/** Dialogs. The focus is kept inside and goes back where it was; Escape cancels and never does the thing asked about. */
import { Dialog as Radix } from 'radix-ui'
import { type CSSProperties, type ReactNode, type RefObject, useRef } from 'react'
import { Button } from './button.tsx'
import './overlay.css'

export interface DialogProps {
  readonly open: boolean
  /** Called with false on Escape, on a click beside it and by its buttons. */
  readonly onOpenChange: (open: boolean) => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  readonly footer?: ReactNode
  /** Pixels; never wider than the window. */
  readonly width?: number
  readonly initialFocus?: RefObject<HTMLElement | null>
}

export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, children, footer, width, initialFocus } = props
  const before = useRef<Element | null>(null)
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="ui-veil" />
        <Radix.Content
          className="ui-dialog"
          style={width ? ({ '--dialog-width': `${width}px` } as CSSProperties) : undefined}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onCloseAutoFocus={event => {
            // Radix gives it to a trigger, and there is none. What has it by now keeps it.
            event.preventDefault()
            if (document.activeElement === document.body && before.current instanceof HTMLElement)
              before.current.focus()
          }}
          onOpenAutoFocus={event => {
            before.current = document.activeElement
            if (!initialFocus?.current) return
            event.preventDefault()
            initialFocus.current.focus()
          }}
        >
          <Radix.Title className="ui-dialog-title">{title}</Radix.Title>
          {description && (
            <Radix.Description className="ui-dialog-description" asChild>
              <div>{description}</div>
            </Radix.Description>
          )}
          {children && <div className="ui-dialog-body">{children}</div>}
          {footer && <div className="ui-dialog-footer">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

export interface ConfirmDialogProps {
  readonly open: boolean
  readonly title: string
  readonly body: ReactNode
  readonly confirmLabel: string
  readonly cancelLabel: string
  /** A third way out, between cancel and confirm ("Don't save"). */
  readonly other?: { readonly label: string; readonly onSelect: () => void }
  readonly danger?: boolean
  /** Confirming widens something: the way back has the focus. */
  readonly cautious?: boolean
  readonly onConfirm: () => void
  readonly onCancel: () => void
}

/** Asks before something that cannot be shrugged off. A dangerous one starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const confirm = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={props.open}
      onOpenChange={open => !open && props.onCancel()}
      title={props.title}
      description={props.body}
      width={440}
      initialFocus={props.danger || props.cautious ? cancel : confirm}
      footer={
        <>
          <Button ref={cancel} variant="ghost" onClick={props.onCancel}>
            {props.cancelLabel}
          </Button>
          {props.other && <Button onClick={props.other.onSelect}>{props.other.label}</Button>}
          <Button ref={confirm} variant={props.danger ? 'danger' : 'main'} onClick={props.onConfirm}>
            {props.confirmLabel}
          </Button>
        </>
      }
    />
  )
}
