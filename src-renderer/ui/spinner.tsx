/** Waiting, in words. There is no spinner without them. */
import { cx } from './cx.ts'
import './text.css'

export const Spinner = ({ label, className }: { readonly label: string; readonly className?: string }) => (
  <output className={cx('ui-spinner', className)}>{label}</output>
)
