/** The files behind the layers, watched: what each says now, where a scope writes to, and what all of them come to. */
import { join } from 'node:path'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { SettingProblem, SettingsSnapshot } from '#contract/settings'
import { type SettingKey, settingDefs } from '#contract/settings-schema'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { watchFile } from '../base/watch-file.ts'
import { openTextFile, type TextFile } from './file.ts'
import { type Keymap, type Layer, readKeymap, readSettings } from './layer.ts'

export type Scope = 'user' | 'workspace' | 'keymap'

export interface LayersOptions {
  readonly folders: Folders
  readonly log: Log
  /** The first root of an open workspace and whether it is trusted; null for an unknown one. */
  readonly workspaceOf?: (workspaceId: WorkspaceId) => { readonly root: string; readonly trusted: boolean } | null
}

interface Watched<T> {
  readonly file: TextFile
  said: T
  readonly end: () => void
}

export interface Layers {
  readonly user: Layer
  readonly keymap: Keymap
  /** Of a trusted workspace only. The file is read at the first call and watched from then on. */
  ofRoot(root: string): Layer
  /** Null where the workspace is unknown or not trusted: its file does not count. */
  trusted(workspaceId: WorkspaceId | undefined): { readonly root: string; readonly layer: Layer } | null
  /** The file that a scope writes to, as it is on disk now. Throws `untrusted` or `not_found` for a workspace that has none. */
  place(scope: Scope, workspaceId?: WorkspaceId): { readonly file: TextFile; readonly root: string | null }
  /** After `place(...).file` was written. */
  readAgain(scope: Scope, file: TextFile): void
  problems(workspaceId?: WorkspaceId): SettingProblem[]
  /** The workspaces that were asked about under this root. */
  idsOf(root: string): Iterable<WorkspaceId>
  dispose(): void
}

/** `onChanged`: a file changed on disk by another hand; `root` null for the user's own. */
export function createLayers(
  { folders, log, workspaceOf }: LayersOptions,
  onChanged: (root: string | null) => void,
): Layers {
  const ids = new Map<string, Set<WorkspaceId>>()
  const workspaces = new Map<string, Watched<Layer>>()

  const watched = <T>(absolute: string, parse: (text: string) => T, root: string | null): Watched<T> => {
    const file = openTextFile(absolute)
    const one: Watched<T> = {
      file,
      said: parse(file.text),
      end: watchFile(absolute, () => {
        if (!file.reload()) return
        log('info', 'settings file changed', { file: absolute })
        one.said = parse(file.text)
        onChanged(root)
      }),
    }
    return one
  }

  const userPath = join(folders.config, 'settings.json')
  const keymapPath = join(folders.config, 'keymap.json')
  const user = watched<Layer>(userPath, text => readSettings(text, 'user', userPath), null)
  const keymap = watched<Keymap>(keymapPath, text => readKeymap(text, keymapPath), null)

  const ofRoot = (root: string): Watched<Layer> => {
    const known = workspaces.get(root)
    if (known) return known
    const path = join(root, '.belay', 'settings.json')
    const opened = watched<Layer>(path, text => readSettings(text, 'workspace', path), root)
    workspaces.set(root, opened)
    return opened
  }
  const trusted = (workspaceId: WorkspaceId | undefined): { root: string; layer: Watched<Layer> } | null => {
    if (!workspaceId) return null
    const at = workspaceOf?.(workspaceId)
    if (!at?.trusted) return null
    const known = ids.get(at.root) ?? new Set()
    ids.set(at.root, known.add(workspaceId))
    return { root: at.root, layer: ofRoot(at.root) }
  }

  return {
    get user() {
      return user.said
    },
    get keymap() {
      return keymap.said
    },
    ofRoot: root => ofRoot(root).said,
    trusted(workspaceId) {
      const at = trusted(workspaceId)
      return at && { root: at.root, layer: at.layer.said }
    },
    place(scope, workspaceId) {
      if (scope === 'user') return { file: user.file, root: null }
      if (scope === 'keymap') return { file: keymap.file, root: null }
      const at = trusted(workspaceId)
      if (at) return { file: at.layer.file, root: at.root }
      throw noPlace(workspaceId !== undefined && Boolean(workspaceOf?.(workspaceId)))
    },
    readAgain(scope, file) {
      if (scope === 'keymap') keymap.said = readKeymap(file.text, file.absolute)
      const one = [user, ...workspaces.values()].find(each => each.file === file)
      if (scope !== 'keymap' && one) one.said = readSettings(file.text, scope, file.absolute)
    },
    problems(workspaceId) {
      const workspace = trusted(workspaceId)?.layer
      return [
        ...unreadable(user.file, 'user'),
        ...user.said.problems,
        ...(workspace ? [...unreadable(workspace.file, 'workspace'), ...workspace.said.problems] : []),
        ...unreadable(keymap.file, 'user'),
        ...keymap.said.problems,
      ]
    },
    idsOf: root => ids.get(root) ?? [],
    dispose() {
      for (const each of [user, keymap, ...workspaces.values()]) each.end()
      workspaces.clear()
    },
  }
}

const noPlace = (known: boolean): BelayError =>
  known
    ? new BelayError(
        'untrusted',
        'This folder is not trusted yet, so its settings are neither read nor written. Trust it first.',
      )
    : new BelayError('not_found', 'No such workspace is open. Open the folder first.')

/** The winning value of one setting, where it comes from, and what every layer says. */
export function layered(key: SettingKey, user: Layer, workspace: Layer | null): SettingsSnapshot['values'][number] {
  const initial = settingDefs[key].default
  const layers = {
    default: initial,
    ...(user.values.has(key) ? { user: user.values.get(key) } : {}),
    ...(workspace?.values.has(key) ? { workspace: workspace.values.get(key) } : {}),
  }
  if ('workspace' in layers) return { key, value: layers.workspace, scope: 'workspace', layers }
  if ('user' in layers) return { key, value: layers.user, scope: 'user', layers }
  return { key, value: initial, scope: 'default', layers }
}

const unreadable = (file: TextFile, scope: 'user' | 'workspace'): SettingProblem[] =>
  file.fault ? [{ scope, file: file.absolute, key: null, message: `The file cannot be read. ${file.fault}` }] : []
