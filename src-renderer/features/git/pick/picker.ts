/** Which list a person chooses from, if any. `verb`: what choosing does, where it is not the usual. */
import { create } from 'zustand'
import type { Choice } from '../../../ui/quick-pick.tsx'
import type { RunCommand } from '../../commands.ts'

export type PickList =
  | { readonly kind: 'branches'; readonly verb: BranchVerb }
  | { readonly kind: 'stashes' }
  | { readonly kind: 'worktrees' }
  | { readonly kind: 'remotes' }
  | { readonly kind: 'tags' }
export type BranchVerb = 'switch' | 'rename' | 'delete' | 'merge' | 'rebase'

export const picker = create<{ readonly list: PickList | null }>(() => ({ list: null }))
export const pickFrom = (list: PickList): void => picker.setState({ list })
export const closePicker = (): void => picker.setState({ list: null })

/** What a list offers for what is typed; `step` opens the second step of an entry. */
export type Offer = (query: string) => readonly Choice[]
export interface Step {
  readonly title: string
  readonly choices: readonly Choice[]
}
export interface ListTools {
  readonly run: RunCommand
  step(step: Step): void
}
export type LoadList = (tools: ListTools) => Promise<Offer>
