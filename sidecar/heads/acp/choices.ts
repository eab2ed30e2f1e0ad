/** What a client may choose for a session: modes and models, in ACP's two forms. Pure. */
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk'
import type { ModelInfo } from '#contract/model'
import type { Mode } from '#contract/session-event'

const modes: readonly { id: Exclude<Mode, 'bypassPermissions'>; name: string; description: string }[] = [
  { id: 'default', name: 'Ask', description: 'Edits and commands ask first' },
  { id: 'acceptEdits', name: 'Accept edits', description: 'Edits in the folder run; commands ask' },
  { id: 'auto', name: 'Auto', description: 'Edits, and commands inside the jail, run' },
  { id: 'plan', name: 'Plan', description: 'Reads only, and proposes a plan' },
  { id: 'dontAsk', name: 'Never ask', description: 'What would ask is denied' },
]

/** Null: not one that a client may set. Skipping every rule is said on a command line alone. */
export const modeOf = (id: string): Mode | null => modes.find(mode => mode.id === id)?.id ?? null

export const modeState = (currentModeId: Mode): SessionModeState => ({ currentModeId, availableModes: [...modes] })

export interface Chosen {
  readonly mode: Mode
  /** `<provider>/<model id>` */
  readonly model: string
}

export const configOptions = ({ mode, model }: Chosen, models: readonly ModelInfo[]): SessionConfigOption[] => [
  {
    ...{ id: 'mode', name: 'Mode', category: 'mode', type: 'select', currentValue: mode },
    options: modes.map(({ id, ...rest }) => ({ value: id, ...rest })),
  },
  {
    ...{ id: 'model', name: 'Model', category: 'model', type: 'select', currentValue: model },
    options: withCurrent(model, models).map(each => ({ value: each.model, name: each.label })),
  },
]

/** Any id of a known provider may be in use, also one that no list has. */
const withCurrent = (model: string, models: readonly Pick<ModelInfo, 'model' | 'label'>[]) =>
  models.some(each => each.model === model) ? models : [{ model, label: model }, ...models]
