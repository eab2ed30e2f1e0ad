/** It was rewound to here: said until the conversation goes on, over a reload too, with the way back. */
import { History } from 'lucide-react'
import { useState } from 'react'
import type { Move } from '#contract/session-state'
import { useT } from '../../../ui/i18n.ts'
import { Button } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'

export function RewoundRow({ move }: { readonly move: Move }) {
  const t = useT()
  const run = useCommand()
  const [busy, setBusy] = useState(false)
  const what = move.from === move.to ? 'files' : move.restoreId === null ? 'conversation' : 'both'
  const undo = async () => {
    setBusy(true)
    await run('agent.undoRewind')
    setBusy(false)
  }
  return (
    <div className="chat-rewound" role="status">
      <History size={14} aria-hidden="true" />
      <span>{t(`chat.rewound.${what}`)}</span>
      <Button busy={busy} onClick={() => void undo()}>
        {t('command.agent.undoRewind')}
      </Button>
    </div>
  )
}
