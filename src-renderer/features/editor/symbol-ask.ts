/** The wish to choose a symbol: of the file in front, or of the workspace; null: none. */
import { create } from 'zustand'

export const symbolAsk = create<{ readonly where: 'file' | 'workspace' | null }>(() => ({ where: null }))
/** The wish to see what stands beside the symbol at the caret; `at` differs for each. */
export const crumbsAsk = create<{ readonly at: number }>(() => ({ at: 0 }))
