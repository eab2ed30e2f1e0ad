/** Which panes are shown and how large they are; remembered per workspace. Sizes in pixels. */
import { remembered } from './remember.ts'

export interface Layout {
  readonly side: boolean
  /** Id of the side pane in front. */
  readonly sidePane: string
  readonly sideSize: number
  readonly bottom: boolean
  readonly bottomPane: string
  readonly bottomSize: number
  readonly agent: boolean
  readonly agentSize: number
  /** Side pane on the right, agent on the left. */
  readonly swapped: boolean
}

const initial: Layout = {
  side: true,
  sidePane: 'explorer',
  sideSize: 252,
  bottom: false,
  bottomPane: 'terminal',
  bottomSize: 220,
  agent: true,
  agentSize: 428,
  swapped: false,
}

export const layout = remembered<Layout>('layout', initial)
export const changeLayout = (change: Partial<Layout>): void => layout.set(current => ({ ...current, ...change }))
