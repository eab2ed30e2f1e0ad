/** Which page stands in the middle: the editor (or, without a workspace, welcome) unless settings were asked for. */
import { create } from 'zustand'

export interface MainPaneView {
  /** Id of a pane that stands over the editor; null for the editor itself. */
  readonly over: string | null
  /** What the page should show first, in its own words: 'keys', 'models', 'json'. */
  readonly section: string | null
}

export const mainPane = create<MainPaneView>(() => ({ over: null, section: null }))
export const showOver = (over: string | null, section: string | null = null): void =>
  mainPane.setState({ over, section })
