/** What a client may ask of the checkpoints, and what a person set for them. */
import type { BelayHandlers } from '#contract/index'
import type { Checkpoints } from '../checkpoint/checkpoints.ts'
import type { Limits } from '../checkpoint/prune.ts'
import type { Settings } from '../settings/settings.ts'

const GIGABYTE = 1024 ** 3

export const checkpointHandlers = (checkpoints: Checkpoints): BelayHandlers['checkpoint'] => ({
  kept: ({ workspaceId }) => checkpoints.kept(workspaceId),
  clear: ({ rootId }) => checkpoints.clear(rootId).then(() => ({})),
})

export const checkpointLimits = (settings: Pick<Settings, 'get'>): Limits => ({
  days: settings.get('checkpoints.keepDays'),
  bytes: settings.get('checkpoints.mostGigabytes') * GIGABYTE,
  leastFreeBytes: settings.get('checkpoints.leastFreeGigabytes') * GIGABYTE,
})
