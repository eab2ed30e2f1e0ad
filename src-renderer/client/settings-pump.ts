/** Keeps the mirror of settings: of a person, and of the open workspace over them. */
import type { WorkspaceId } from '#contract/id'
import type { KeyBinding, SettingsSnapshot, UnreadableFile } from '#contract/settings'
import { settingsStore } from '../state/mirror/settings-store.ts'
import { belay, type Following, follow } from './index.ts'

let of: WorkspaceId | undefined
let following: Following | null = null

const take = (snapshot: SettingsSnapshot) =>
  settingsStore.setState({ snapshot, values: new Map(snapshot.values.map(value => [value.key, value])) })

/** Starts, and later changes, whose workspace's settings count. */
export function followSettings(workspaceId: WorkspaceId | null): void {
  of = workspaceId ?? undefined
  if (following) following.reopen()
  following ??= follow({
    open: () => belay.settings.get({ workspaceId: of }),
    onSnapshot: take,
    events: {
      'settings/changed': ({ workspaceId: changed }) => (changed === null || changed === of ? 'reopen' : undefined),
    },
  })
}

/** `value: null` removes the line. Rejects with words; the mirror then stays as it was. */
export async function saveSetting(scope: 'user' | 'workspace', key: string, value: unknown): Promise<void> {
  take(await belay.settings.set({ scope, workspaceId: of, key, value }))
}

export async function saveKeymap(keymap: readonly KeyBinding[]): Promise<void> {
  await belay.settings.setKeymap({ keymap: [...keymap] })
  take(await belay.settings.get({ workspaceId: of }))
}

export type SettingsFile = 'user' | 'workspace' | 'keymap'
export const readSettingsFile = (scope: SettingsFile) => belay.settings.readText({ scope, workspaceId: of })
/** Rejects with `stale` when the file changed since `before` was read, `invalid` when `text` is not JSON. */
export async function writeSettingsFile(scope: SettingsFile, before: string, text: string): Promise<void> {
  take(await belay.settings.writeText({ scope, workspaceId: of, before, text }))
}

/** Tells all of them at once, and again with each that is found later. Returns what ends it. */
export function followUnreadable(tell: (files: readonly UnreadableFile[]) => void): () => void {
  const following = follow({
    open: () => belay.settings.unreadable({}),
    onSnapshot: ({ files }) => tell(files),
    events: { 'settings/foundUnreadable': found => tell([found]) },
  })
  return () => following.dispose()
}
