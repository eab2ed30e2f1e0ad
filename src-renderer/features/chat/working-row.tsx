/** The agent works: what the model's service said last, where nothing has come since, else that it works. */
import type { SessionId } from '#contract/id'
import { useNotice } from '../../state/mirror/session.ts'
import { localize, useT } from '../../ui/i18n.ts'

export function WorkingRow({ sessionId }: { readonly sessionId: SessionId }) {
  const t = useT()
  const notice = useNotice(sessionId)
  return (
    <div className="chat-working" role="status">
      <span className="chat-dots" aria-hidden="true" />
      {notice?.code === 'compacting' ? t('context.making') : notice ? localize(notice.text) : t('chat.working')}
    </div>
  )
}
