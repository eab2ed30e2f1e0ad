/** Whose output a person looks at. */
import { remembered } from '../../../state/view/remember.ts'

interface OutputView {
  /** `id` of a server; null or one that is gone: the first that wrote something. */
  readonly serverId: string | null
}
const initial: OutputView = { serverId: null }
export const outputView = remembered<OutputView>('output', initial)
