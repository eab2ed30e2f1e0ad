/** What git is doing now, how far it is, and Cancel. Short work is over before it is shown. */
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useT } from '../../ui/i18n.ts'
import { Spinner } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { operations } from './operations.ts'

const SHOW_AFTER_MS = 400

export function Running() {
  const t = useT()
  const run = useCommand()
  const operation = operations(state => state.running.at(-1))
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!operation || !shown) return null
  const { doing, phase, percent } = operation
  const words = [t(`source.doing.${doing}`), phase && t(`source.phase.${phase}`), percent !== null && `${percent} %`]
  return (
    <span className="app-status-item">
      <Spinner label={words.filter(Boolean).join(' · ')} />
      <button type="button" aria-label={t('command.git.cancel')} onClick={() => void run('git.cancel')}>
        <X size={12} />
      </button>
    </span>
  )
}
