/** Commands chosen in the palette lately, newest first; of this browser, whatever the folder. */
import type { CommandId } from '../../features/commands.ts'

const KEY = 'belay.recentCommands'
const MAX = 20

export const recentCommands = {
  list(): readonly string[] {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
      return Array.isArray(kept) ? kept.filter(id => typeof id === 'string') : []
    } catch {
      return []
    }
  },
  add(id: CommandId): void {
    try {
      localStorage.setItem(KEY, JSON.stringify([id, ...this.list().filter(other => other !== id)].slice(0, MAX)))
    } catch {
      // Then the list stays in the order of names.
    }
  },
}
