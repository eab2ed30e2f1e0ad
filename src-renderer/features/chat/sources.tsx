/** Where an answer, or a search of the provider, got something from: host and title, opened outside Belay and only when asked. */
import { ExternalLink } from 'lucide-react'
import { useT } from '../../ui/i18n.ts'
import { visible } from '../../ui/visible.ts'
import { useOpenLink } from './open-link.ts'

export interface SourceLine {
  readonly url: string | null
  readonly title: string | null
  readonly quote: string | null
}

export function Sources({ sources }: { readonly sources: readonly SourceLine[] }) {
  const t = useT()
  const openLink = useOpenLink()
  return (
    <ol className="chat-sources" aria-label={t('chat.sources')}>
      {sources.map(({ url, title, quote }, place) => {
        const host = hostOf(url)
        const words = visible(title ?? host ?? t('chat.source'))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same source may be named twice; the list only grows at its end
          <li key={`${place} ${url}`}>
            {url && host ? (
              <button type="button" className="chat-link" title={visible(url)} onClick={() => openLink(url)}>
                {words} <ExternalLink size={11} aria-hidden="true" />
              </button>
            ) : (
              <span>{words}</span>
            )}
            {host && title && <span className="chat-dim"> {host}</span>}
            {quote && <q className="chat-quote">{visible(quote)}</q>}
          </li>
        )
      })}
    </ol>
  )
}

/** Only of the web: nothing else is made a link. */
function hostOf(url: string | null): string | null {
  if (!url || !URL.canParse(url)) return null
  const { protocol, host } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? host : null
}
