/** Which files of the folder spoke to the model: they are its words, not the person's. Each opens in the editor. */
import { ScrollText } from 'lucide-react'
import type { ToolItem } from '#contract/session-state'
import { useT } from '../../ui/i18n.ts'
import { visible } from '../../ui/visible.ts'
import { useOpenLink } from './open-link.ts'

/** The log is data: what is no such list is none. */
export function adviceOf({ detail }: Pick<ToolItem, 'detail'>): string[] {
  if (!Array.isArray(detail.advice)) return []
  return detail.advice.flatMap((each: unknown) => {
    const path = typeof each === 'object' && each !== null ? (each as { path?: unknown }).path : undefined
    return typeof path === 'string' ? [path] : []
  })
}

/** The names in what the core says at the start of a turn; none where it says that there is no advice. */
export const namesIn = (notice: string): string[] => {
  const at = notice.indexOf(': ')
  return at < 0 ? [] : notice.slice(at + 2).split(', ')
}

export function AdviceLine({ paths }: { readonly paths: readonly string[] }) {
  const t = useT()
  const openLink = useOpenLink()
  return (
    <div className="chat-advice" title={t('chat.adviceMeans')}>
      <ScrollText size={12} aria-hidden="true" />
      {t('chat.advice')}
      {paths.map(path => (
        <button key={path} type="button" className="chat-mono chat-link" onClick={() => openLink(path)}>
          {visible(path)}
        </button>
      ))}
    </div>
  )
}
