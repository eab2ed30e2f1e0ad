/** What the field offers: commands after `/`, files and agents after `@`. */
import type { AutocompleteItem, AutocompleteProvider, AutocompleteSuggestions } from '@earendil-works/pi-tui'
import type { Client } from '#contract/client'
import type { WorkspaceId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import { baseName, parentPath } from '#contract/path'
import { flat } from '../../base/foreign-text.ts'
import { commands } from './commands.ts'

const MOST_FILES = 20

export function createCompletion(client: Client<BelayContract>, workspaceId: WorkspaceId): AutocompleteProvider {
  const files = async (query: string): Promise<AutocompleteItem[]> => {
    const [{ agents }, found] = await Promise.all([
      client.agents.list({ workspaceId }),
      client.workspace.find({ workspaceId, query, limit: MOST_FILES }),
    ])
    const named = agents
      .filter(({ name, hidden }) => !hidden && name.startsWith(query))
      .map(({ name, description }) => ({ value: `@${name} `, label: `@${name}`, description: flat(description, 80) }))
    const paths = found.files.map(({ path: { path } }) => ({
      value: `@${path} `,
      label: flat(baseName(path), 80),
      description: flat(parentPath(path), 80),
    }))
    return [...named, ...paths]
  }

  return {
    async getSuggestions(lines, cursorLine, cursorCol, { signal }): Promise<AutocompleteSuggestions | null> {
      const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
      const command = cursorLine === 0 ? /^\/[a-z]*$/.exec(before)?.[0] : undefined
      if (command !== undefined) {
        const items = commands
          .filter(({ name }) => name.startsWith(command.slice(1)))
          .map(({ name, help, takes }) => ({
            value: `/${name}${takes ? ' ' : ''}`,
            label: `/${name}`,
            description: help,
          }))
        return items.length > 0 ? { items, prefix: command } : null
      }
      const place = /(?:^|\s)(@[^\s@]*)$/.exec(before)?.[1]
      if (place === undefined) return null
      const items = await files(place.slice(1)).catch(() => [])
      return items.length > 0 && !signal.aborted ? { items, prefix: place } : null
    },
    applyCompletion(lines, cursorLine, cursorCol, item, prefix) {
      const line = lines[cursorLine] ?? ''
      const start = cursorCol - prefix.length
      const next = [...lines]
      next[cursorLine] = line.slice(0, start) + item.value + line.slice(cursorCol)
      return { lines: next, cursorLine, cursorCol: start + item.value.length }
    },
  }
}
