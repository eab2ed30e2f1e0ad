/** What a feature is: panes, command handlers and status items. Each feature folder's index.ts exports one; app lists them. */
import type { ComponentType } from 'react'
import type { CommandArgument, CommandId } from './commands.ts'

export interface Pane {
  /** Also the key in the remembered layout. */
  readonly id: string
  /** Catalogue key of its name. */
  readonly title: string
  /** A lucide icon or the like; 16 px. */
  readonly icon: ComponentType<{ size?: number | string }>
  /** `side`: the rail's views. `main`: the middle (one). `bottom`: tabs under it. `agent`: the right panel (one). */
  readonly place: 'side' | 'main' | 'bottom' | 'agent'
  readonly order: number
  readonly component: ComponentType
  /** A small count or mark on the rail or tab: a hook, null for none. */
  readonly useBadge?: () => { text: string; tone: 'plain' | 'ask' | 'error' } | null
}

export interface StatusItem {
  readonly id: string
  readonly side: 'left' | 'right'
  readonly order: number
  readonly component: ComponentType
}

/** A handler runs outside React: it reads stores with `getState()`. A rejection is shown as an error toast. */
export type CommandHandlers = {
  readonly [I in CommandId]?: (argument: CommandArgument<I>) => void | Promise<void>
}

export interface Feature {
  readonly id: string
  readonly panes?: readonly Pane[]
  readonly status?: readonly StatusItem[]
  readonly commands?: CommandHandlers
  /** Rendered once, outside the panes: dialogs, overlays. */
  readonly overlay?: ComponentType
}
