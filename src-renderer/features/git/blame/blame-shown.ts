/** Whether a person wants to see who wrote the lines: nowhere, at the caret's line, or beside every line. Kept per workspace. */
import { type Remembered, remembered } from '../../../state/view/remember.ts'

export type BlameShown = 'off' | 'line' | 'all'
export const blameShown: Remembered<BlameShown> = remembered<BlameShown>('gitBlame', 'off')
