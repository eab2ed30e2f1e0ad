/** How keys are kept on this machine: a word where one is entered, and loudly where they are not sealed. */
import { KeyRound, LockOpen } from 'lucide-react'
import { machine } from '../../state/view/machine.ts'
import { useT } from '../../ui/i18n.ts'

/** For the field that a key is entered in. */
export function useKeyHint(): string {
  const t = useT()
  const keys = machine(state => state.report?.keys)
  if (!keys) return t('settings.keyAbout.unknown')
  return t(`settings.keyAbout.${keys.kept}`, { keeper: keys.keeper ?? '', file: keys.file })
}

export function KeyKeeping() {
  const t = useT()
  const keys = machine(state => state.report?.keys)
  if (!keys) return null
  const { file, keeper, why } = keys
  if (keys.kept === 'sealed')
    return (
      <p className="settings-keys dim">
        <KeyRound size={14} />
        <span>{t('settings.keysSealed', { keeper: keeper ?? '', file })}</span>
      </p>
    )
  return (
    <section className="settings-keys settings-keys-plain" aria-label={t('settings.keysPlain')}>
      <LockOpen size={15} />
      <span>
        <b>{t('settings.keysPlain')}</b> {t('settings.keysPlainMeans', { file })} {why && t(`settings.keysWhy.${why}`)}
      </span>
    </section>
  )
}
