/** The answers a call can have, a key each. In a batch the chosen one stays pressed. */
import type { AskedCall } from '#contract/session-event'
import { useT } from '../../../ui/i18n.ts'
import { Button, Tooltip } from '../../../ui/index.ts'
import { type Choice, gravityOf } from './choices.ts'
import type { Acts } from './keys.ts'

interface DecideProps {
  readonly call: AskedCall
  readonly busy: boolean
  readonly acts: Acts
  readonly chosen: Choice | undefined
  /** Of the group of buttons. */
  readonly label: string
}

export function Decide({ call, busy, acts, chosen, label }: DecideProps) {
  const t = useT()
  const of = call.kind === 'edit' ? 'Edit' : ''
  const is = (verdict: Choice['verdict'], remember: Choice['remember'] = 'once') =>
    chosen === undefined ? undefined : chosen.verdict === verdict && chosen.remember === remember
  const grave = gravityOf(call) !== null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced anew with every button
    <div className="chat-buttons" role="group" aria-label={label}>
      <Button
        variant={grave ? 'danger' : 'main'}
        keys="A"
        busy={busy}
        aria-pressed={is('allow')}
        onClick={acts.a || undefined}
      >
        {t('chat.allowOnce')}
      </Button>
      {acts.s && (
        <Tooltip side="top" label={t(`chat.allowSession${of}Means`, { mode: t('chat.mode.acceptEdits') })}>
          <Button keys="S" busy={busy} aria-pressed={is('allow', 'session')} onClick={acts.s}>
            {t(`chat.allowSession${of}`)}
          </Button>
        </Tooltip>
      )}
      {acts.h && (
        <Tooltip side="top" label={t('chat.allowHereMeans')}>
          <Button keys="H" busy={busy} aria-pressed={is('allow', 'here')} onClick={acts.h}>
            {t(`chat.allowHere${of}`)}
          </Button>
        </Tooltip>
      )}
      {acts.e && (
        <Button keys="E" busy={busy} onClick={acts.e}>
          {t('chat.editAndAllow')}
        </Button>
      )}
      <span className="chat-buttons-gap" />
      <Button keys="D" busy={busy} aria-pressed={is('deny')} onClick={acts.d || undefined}>
        {t('chat.deny')}
      </Button>
      {acts.n && (
        <Tooltip side="top" label={t('chat.denyHereMeans')}>
          <Button variant="ghost" keys="N" busy={busy} aria-pressed={is('deny', 'here')} onClick={acts.n}>
            {t('chat.denyHere')}
          </Button>
        </Tooltip>
      )}
      {acts.w && (
        <Button variant="ghost" keys="W" busy={busy} onClick={acts.w}>
          {t('chat.denyWords')}
        </Button>
      )}
      {acts.k && (
        <Tooltip side="top" label={t('chat.skipMeans')}>
          <Button variant="ghost" keys="K" busy={busy} aria-pressed={is('skip')} onClick={acts.k}>
            {t('chat.skip')}
          </Button>
        </Tooltip>
      )}
    </div>
  )
}
