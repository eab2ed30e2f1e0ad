/** The log of this session was not whole when it was opened: said once, with what is kept. */
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import type { SessionId } from '#contract/id'
import { sessionMirror } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { Button } from '../../ui/index.ts'

export function MendedBanner({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const repaired = sessionMirror(({ sessions }) => sessions[sessionId]?.repaired ?? null)
  const [closed, setClosed] = useState(false)
  if (!repaired || closed) return null
  return (
    <div className="chat-mended" role="status">
      <Wrench size={14} aria-hidden="true" />
      <span>{repaired.lost > 0 ? t('chat.mended.lost', { count: repaired.lost }) : t('chat.mended.torn')}</span>
      <Button variant="ghost" onClick={() => setClosed(true)}>
        {t('chat.mendedClose')}
      </Button>
    </div>
  )
}
