/** `#contract/update` where Belay does not keep itself new: whoever installed it does. */
import type { Handlers } from '#contract/define'
import type { HostContract } from '#contract/supervision'

const state = () => ({ kind: 'unavailable', why: 'browser' }) as const

export const noUpdates: Handlers<HostContract>['update'] = {
  state,
  check: state,
  fetch: state,
  cancel: state,
  install: () => ({}),
}
