/** Which picker is open: a command opens it as well as a click. */
import { create } from 'zustand'

export const pickerOpen = create<{ readonly open: 'mode' | 'model' | 'sessions' | null }>(() => ({ open: null }))
