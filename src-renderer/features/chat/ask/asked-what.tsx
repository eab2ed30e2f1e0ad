/** The exact bytes, whole: a change as its lines, anything else as it is. What cannot be seen is made visible; long ones scroll. */
import type { SessionId } from '#contract/id'
import type { AskedCall } from '#contract/session-event'
import { useT } from '../../../ui/i18n.ts'
import { visible } from '../../../ui/visible.ts'
import { DiffLines } from '../diff-lines.tsx'
import { linesOfNew, linesOfPatch } from '../patch-lines.ts'
import { argumentsOf } from '../tool-words.ts'
import { useCallItem } from './edited.ts'

/** Lines with a number each; beyond that the text stands as one piece, which the page bears at any length. */
const MOST_NUMBERED_LINES = 3000

export function AskedWhat({ sessionId, call }: { readonly sessionId: SessionId; readonly call: AskedCall }) {
  const t = useT()
  const item = useCallItem(sessionId, call.callId)
  const lines = call.kind === 'edit' ? (linesOfPatch(call.exact) ?? linesOfNew(call.exact)) : null
  if (lines && lines.length <= MOST_NUMBERED_LINES)
    return <DiffLines lines={lines} label={t('chat.diffOf', { path: call.where })} whole />
  const command = call.kind === 'network' && item ? argumentsOf(item).command : undefined
  return (
    <>
      <pre className="chat-cmd" tabIndex={0}>
        {visible(call.exact)}
      </pre>
      {typeof command === 'string' && (
        <div className="chat-why">
          {t('chat.askReachBy')}
          <pre className="chat-cmd chat-cmd-small" tabIndex={0}>
            {visible(command)}
          </pre>
        </div>
      )}
    </>
  )
}
