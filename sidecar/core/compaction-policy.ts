/** When conversations are compacted, by the person's settings; the small model writes the notes where the person agreed to it. */
import type { CompactionPolicy } from '../agent/compact/compactor.ts'
import { GUIDE_MODEL } from '../model/options.ts'
import type { Settings } from '../settings/settings.ts'

export const compactionPolicy =
  ({ get }: Pick<Settings, 'get'>, agreedTo: (model: string) => string | null) =>
  (): CompactionPolicy => ({
    share: get('agent.compactAt') / 100,
    messages: get('agent.compactMessages'),
    // The guide is no AI.
    summariser: model => agreedTo(get('agent.smallModel')) ?? (model === GUIDE_MODEL ? null : model),
  })
