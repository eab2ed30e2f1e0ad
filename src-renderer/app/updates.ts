/** Newer versions of Belay: what the machine says of them is kept, and looked for only at a person's word or with their leave. */
import type { SettingOf } from '#contract/settings-schema'
import type { UpdateState } from '#contract/update'
import { followHost, host } from '../client/index.ts'
import { onSetting, settingNow } from '../state/mirror/settings.ts'
import { updateView } from '../state/view/update.ts'
import { t } from '../ui/i18n.ts'
import { toast } from '../ui/index.ts'

const take = (state: UpdateState) => updateView.setState({ state })

/** Call once, when the window is shown. */
export function followUpdates(): void {
  followHost({ open: () => host.update.state({}), onSnapshot: take, events: { 'update/changed': take } })
  const lookIfAllowed = (when: SettingOf<'update.check'>) => {
    if (when === 'onStart') void host.update.check({ unasked: true }).then(take, () => {})
  }
  lookIfAllowed(settingNow('update.check'))
  onSetting('update.check', lookIfAllowed)
}

/** Says what came of it, in every case. */
export async function checkForUpdates(): Promise<void> {
  updateView.setState({ away: null })
  const looking = toast.info(t('app.update.checking'))
  try {
    say(await host.update.check({ unasked: false }))
  } finally {
    toast.dismiss(looking)
  }
}

export const fetchUpdate = async (): Promise<void> => say(await host.update.fetch({}))
export const cancelUpdate = async (): Promise<void> => void (await host.update.cancel({}))
export const installUpdate = async (): Promise<void> => void (await host.update.install({}))

function say(state: UpdateState): void {
  take(state)
  // What went wrong before is no news any more.
  toast.dismiss('update')
  if (state.kind === 'newest') toast.ok(t('app.update.newest', { version: state.version }))
  if (state.kind === 'unavailable') toast.info(t(`app.update.unavailable.${state.why}`))
  if (state.kind !== 'failed') return
  const why = t(`app.update.failed.${state.failure}`)
  toast.error(t('app.update.failed'), { detail: state.detail ? `${why} (${state.detail})` : why, id: 'update' })
}
