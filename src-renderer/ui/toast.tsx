/** Short news at the corner. An error stays until closed and can be copied; the rest leaves by itself. */
import type { MouseEvent } from 'react'
import { Toaster as Sonner, toast as sonner } from 'sonner'
import { localize, t } from './i18n.ts'
import './toast.css'

export interface ToastAction {
  readonly label: string
  readonly onSelect: () => void
}

/** Returns its id, for `dismiss`. */
export const toast = {
  info: (text: string, action?: ToastAction) =>
    sonner(text, { action: toSonner(action), duration: action ? 10_000 : 4000 }),
  ok: (text: string, action?: ToastAction) =>
    sonner.success(text, { action: toSonner(action), duration: action ? 10_000 : 4000 }),
  /** `detail`, the core's own words, can be copied beside `text`. */
  error: (text: string, options: { detail?: string; action?: ToastAction; id?: string } = {}) =>
    sonner.error(text, {
      id: options.id,
      description: options.detail && localize(options.detail),
      duration: Number.POSITIVE_INFINITY,
      action: toSonner(options.action),
      cancel: {
        label: t('ui.copy'),
        onClick: event => {
          event.preventDefault()
          void navigator.clipboard.writeText(options.detail ? `${text}\n${localize(options.detail)}` : text)
        },
      },
    }),
  dismiss: (id: string | number) => void sonner.dismiss(id),
}

const toSonner = (action?: ToastAction) => action && { label: action.label, onClick: () => action.onSelect() }

export interface ToasterProps {
  readonly theme: 'light' | 'dark'
  readonly label: string
  readonly side: 'left' | 'right'
}

/** Stands once in the window. */
export const Toaster = ({ theme, label, side }: ToasterProps) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus where it is
  <div onMouseDown={keepFocus}>
    <Sonner
      theme={theme}
      position={`bottom-${side}`}
      closeButton
      visibleToasts={4}
      offset={{ bottom: 34, left: 58, right: 12 }}
      gap={8}
      containerAriaLabel={label}
    />
  </div>
)

/**
 * A button that is clicked takes no focus: whoever had it when the first news was clicked would get it back when the last one is
 * gone, from wherever a person types by then. From the keyboard it goes in and comes back as it should.
 */
function keepFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault()
}
