/** The terminal pane's own truth: what stands where (remembered per workspace), what is being asked, renamed and searched. */
import { create } from 'zustand'
import type { TerminalId } from '#contract/id'
import { remembered } from '../../state/view/remember.ts'
import { noTerminals, soundLayout, type TabId, type TerminalLayout } from './layout.ts'

const kept = remembered<TerminalLayout>('terminals', noTerminals)

export const terminalLayout = {
  get: (): TerminalLayout => soundLayout(kept.get()),
  set: (change: (layout: TerminalLayout) => TerminalLayout): void => kept.set(layout => change(soundLayout(layout))),
  use: (): TerminalLayout => soundLayout(kept.use()),
  on: (listener: () => void): (() => void) => kept.on(listener),
}

/** Reads out what is printed. Costs speed, so it is the person's choice. */
export const screenReader = remembered<boolean>('terminalScreenReader', false)

export type Question =
  | { readonly kind: 'end'; readonly terminalId: TerminalId; readonly process: string | null }
  | { readonly kind: 'paste'; readonly text: string; readonly answer: (go: boolean) => void }

export interface TerminalView {
  readonly question: Question | null
  readonly renaming: TabId | null
  /** The tab whose find bar is open. */
  readonly finding: TabId | null
  /** Terminals being started. */
  readonly opening: number
}

export const terminalView = create<TerminalView>(() => ({ question: null, renaming: null, finding: null, opening: 0 }))

/** One at a time: a second question answers the first with no. */
export function ask(question: Question): void {
  const { question: before } = terminalView.getState()
  if (before?.kind === 'paste') before.answer(false)
  terminalView.setState({ question })
}

/** The command whose mark was clicked: its menu is open. */
export const chosenCommand = create<{ readonly terminalId: TerminalId | null; readonly ordinal: number }>(() => ({
  terminalId: null,
  ordinal: 0,
}))
