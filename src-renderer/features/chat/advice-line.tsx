/** Which files of the folder spoke to the model with this result: what they say is the folder's, not the person's. */
import type { ToolItem } from '#contract/session-state'
import { useT } from '../../ui/i18n.ts'
import { visible } from './visible.ts'

export function AdviceLine({ item }: { readonly item: ToolItem }) {
  const t = useT()
  const names = adviceOf(item)
  if (names.length === 0) return null
  return <div className="chat-why">{t('chat.adviceRead', { names: names.map(visible).join(', ') })}</div>
}

/** The log is data from outside: what is no such list is none. */
function adviceOf({ detail }: ToolItem): string[] {
  if (!Array.isArray(detail.advice)) return []
  return detail.advice.flatMap((each: unknown) => {
    const path = typeof each === 'object' && each !== null ? (each as Record<string, unknown>).path : null
    return typeof path === 'string' ? path : []
  })
}
