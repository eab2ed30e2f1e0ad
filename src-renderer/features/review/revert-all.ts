/** The question before everything goes back to HEAD. */
import { create } from 'zustand'

export const revertAllQuestion = create<{ readonly files: number | null }>(() => ({ files: null }))
export const askRevertAll = (files: number): void => revertAllQuestion.setState({ files: files > 0 ? files : null })
