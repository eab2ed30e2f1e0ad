/** What a feature is: panes, command handlers and status items. Each feature folder's index.ts exports one; app lists them. */
import type { editor } from 'monaco-editor/editor'
import { type ComponentType, createContext, type ReactNode } from 'react'
import type { AnyPath } from '#contract/path'
import type { CommandArgument, CommandId, RunCommand } from './commands.ts'

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

/**
 * A handler runs outside React: it reads stores with `getState()` and reaches other features through `run`. A rejection is
 * shown as an error toast.
 */
export type CommandHandlers = {
  readonly [I in CommandId]?: (argument: CommandArgument<I>, run: RunCommand) => void | Promise<void>
}

/** The text of a file as an editor shows it. */
export interface ShownText {
  readonly monaco: typeof import('monaco-editor/editor')
  readonly editor: editor.IStandaloneCodeEditor
  readonly path: AnyPath
  readonly run: RunCommand
  readonly chordOf: EditorParts['chordOf']
}
/** Called for each text that comes before a person's eyes; what it returns is called when it goes. */
export type EditorCompanion = (shown: ShownText) => () => void

export interface PageProps {
  readonly tabId: string
  readonly title: string
  readonly path: AnyPath | null
  /** What `editor.openPage` was given, maybe by an earlier version of this window: to be parsed. */
  readonly argument: unknown
  /** A file's living text in an editor like any other; in pages that were opened as `living`. */
  readonly Text: ComponentType<{ readonly path: AnyPath; readonly companion?: EditorCompanion }>
  /** What it holds stands at the end of the path row; of pages that have a path. */
  readonly Actions: ComponentType<{ readonly children: ReactNode }>
}

/** What `editor.openPage` shows as a tab among the files. */
export interface EditorPage {
  /** `feature.page` */
  readonly id: string
  readonly icon: ComponentType<{ size?: number | string }>
  readonly component: ComponentType<PageProps>
}

/** What the other features bring into the editor. Provided by app; each page stands in a fence of its own. */
export interface EditorParts {
  readonly pages: readonly EditorPage[]
  readonly companions: readonly EditorCompanion[]
  /** The chord that runs a command now. */
  readonly chordOf: (id: CommandId) => string | undefined
}
export const EditorPartsContext = createContext<EditorParts>({ pages: [], companions: [], chordOf: () => undefined })

export interface Feature {
  readonly id: string
  readonly panes?: readonly Pane[]
  readonly status?: readonly StatusItem[]
  readonly pages?: readonly EditorPage[]
  readonly companions?: readonly EditorCompanion[]
  readonly commands?: CommandHandlers
  /** Rendered once, outside the panes: dialogs, overlays. */
  readonly overlay?: ComponentType
}
