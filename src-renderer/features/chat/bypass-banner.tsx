/** Where a session skips rules, questions and the jail, it says so above everything else in the panel, for as long as it does. */
import { ShieldOff } from 'lucide-react'
import { useT } from '../../ui/i18n.ts'
import { Button } from '../../ui/index.ts'
import { setMode } from './actions.ts'
import { showProblem } from './problem.ts'
import { useMode } from './use-chat.ts'

export function BypassBanner() {
  const t = useT()
  if (useMode() !== 'bypassPermissions') return null
  return (
    <div className="chat-bypass" role="alert">
      <ShieldOff size={15} />
      <span>
        <b>{t('chat.bypass')}</b> {t('chat.bypassMeans')}
      </span>
      <Button
        variant="danger"
        onClick={() => void setMode('default').catch(thrown => showProblem(t('chat.modeFailed'), thrown))}
      >
        {t('chat.bypassEnd')}
      </Button>
    </div>
  )
}
