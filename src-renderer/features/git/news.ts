/** What went well, said once: the latest alone, since a pile of old ones helps nobody. */
import { type ToastAction, toast } from '../../ui/index.ts'

let last: string | number | null = null

export function news(text: string, action?: ToastAction): void {
  if (last !== null) toast.dismiss(last)
  last = toast.ok(text, action)
}
