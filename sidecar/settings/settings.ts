/**
 * Settings in layers: default < user < workspace. A workspace's file counts only while the workspace is trusted, and never
 * for what could widen trust or move traffic. What a file says wrongly is reported; the rest of it counts.
 */
import { join } from 'node:path'
import type { Handlers, Payload } from '#contract/define'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { SettingProblem, SettingsSnapshot, settings } from '#contract/settings'
import { type SettingKey, type SettingOf, settingDefs } from '#contract/settings-schema'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Folders } from '../base/folders.ts'
import type { Log } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'
import { openTextFile, type TextFile } from './file.ts'
import { editArray, editLine, refuseBroken, removeLine } from './json-lines.ts'
import { isSettingKey, type Keymap, type Layer, readKeymap, readSettings, refusal } from './layer.ts'
import { watchFile } from './watch-file.ts'

type SettingsContract = { readonly settings: typeof settings }
type Scope = 'user' | 'workspace' | 'keymap'

export interface SettingsOptions {
  readonly folders: Folders
  readonly log: Log
  /** The first root of an open workspace and whether it is trusted; null for an unknown one. */
  readonly workspaceOf?: (workspaceId: WorkspaceId) => { readonly root: string; readonly trusted: boolean } | null
}

export interface Settings {
  readonly handlers: Handlers<SettingsContract>['settings']
  readonly events: Emitter<{ name: 'settings/changed'; payload: Payload<SettingsContract, 'settings/changed'> }>
  /** `workspaceRoot`: only of a trusted workspace. The file is read at the first call and watched from then on. */
  get<K extends SettingKey>(key: K, workspaceRoot?: string): SettingOf<K>
  /** `root: null` when the user's own settings or keymap changed. */
  readonly changed: Emitter<{ readonly root: string | null }>
  dispose(): void
}

interface Watched<T> {
  readonly file: TextFile
  said: T
  readonly end: () => void
}

const firstText: Record<Scope, string> = {
  user: '// Your settings: "name": value. The settings page lists every name.\n{\n}\n',
  workspace: '// Settings of this folder, for everybody who works in it.\n{\n}\n',
  keymap: '// Your keys; later lines win. "command": null takes a key away.\n[\n]\n',
}

export function createSettings({ folders, log, workspaceOf }: SettingsOptions): Settings {
  const events: Settings['events'] = createEmitter()
  const changed: Settings['changed'] = createEmitter()
  const serial = createSerial()
  const idsOf = new Map<string, Set<WorkspaceId>>()
  const workspaces = new Map<string, Watched<Layer>>()

  const tell = (root: string | null) => {
    changed.emit({ root })
    const ids: Iterable<WorkspaceId | null> = root === null ? [null] : (idsOf.get(root) ?? [])
    for (const workspaceId of ids) events.emit({ name: 'settings/changed', payload: { workspaceId } })
  }
  const watched = <T>(absolute: string, parse: (text: string) => T, root: string | null): Watched<T> => {
    const file = openTextFile(absolute)
    const one: Watched<T> = {
      file,
      said: parse(file.text),
      end: watchFile(absolute, () => {
        if (!file.reload()) return
        log('info', 'settings file changed', { file: absolute })
        one.said = parse(file.text)
        tell(root)
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
    const ids = idsOf.get(at.root) ?? new Set()
    idsOf.set(at.root, ids.add(workspaceId))
    return { root: at.root, layer: ofRoot(at.root) }
  }
  /** Throws where a workspace's file may not be touched. */
  const place = (
    scope: Scope,
    workspaceId?: WorkspaceId,
  ): { one: Watched<Layer> | Watched<Keymap>; root: string | null } => {
    if (scope === 'user') return { one: user, root: null }
    if (scope === 'keymap') return { one: keymap, root: null }
    const at = trusted(workspaceId)
    if (at) return { one: at.layer, root: at.root }
    throw workspaceId && workspaceOf?.(workspaceId)
      ? new BelayError(
          'untrusted',
          'This folder is not trusted yet, so its settings are neither read nor written. Trust it first.',
        )
      : new BelayError('not_found', 'No such workspace is open. Open the folder first.')
  }
  const write = async (scope: Scope, workspaceId: WorkspaceId | undefined, edit: (text: string) => string) => {
    const { one, root } = place(scope, workspaceId)
    one.file.reload()
    if (one.file.fault)
      throw new BelayError(
        'no_permission',
        `${one.file.absolute} cannot be read, so nothing was written. ${one.file.fault}`,
      )
    const before = one.file.exists && one.file.text.trim() ? one.file.text : firstText[scope]
    await one.file.write(edit(before))
    if (scope === 'keymap') keymap.said = readKeymap(one.file.text, one.file.absolute)
    else (one as Watched<Layer>).said = readSettings(one.file.text, scope, one.file.absolute)
    tell(root)
  }

  const snapshot = (workspaceId?: WorkspaceId): SettingsSnapshot => {
    const workspace = trusted(workspaceId)?.layer ?? null
    const values = (Object.keys(settingDefs) as SettingKey[]).map(key =>
      layered(key, user.said, workspace?.said ?? null),
    )
    const problems = [
      ...unreadable(user.file, 'user'),
      ...user.said.problems,
      ...(workspace ? [...unreadable(workspace.file, 'workspace'), ...workspace.said.problems] : []),
      ...unreadable(keymap.file, 'user'),
      ...keymap.said.problems,
    ]
    return { values, problems, keymap: keymap.said.keymap }
  }

  const handlers: Settings['handlers'] = {
    get: ({ workspaceId }) => snapshot(workspaceId),
    set: ({ scope, workspaceId, key, value }) =>
      serial(async () => {
        const remove = value === null || value === undefined
        if (!remove) refuseValue(scope, key, value)
        await write(scope, workspaceId, text => (remove ? removeLine(text, key) : editLine(text, [key], value)))
        return snapshot(workspaceId)
      }),
    setKeymap: ({ keymap: next }) =>
      serial(async () => {
        await write('keymap', undefined, text => {
          refuseBroken(text)
          return editArray(text, next)
        })
        return {}
      }),
    file: ({ scope, workspaceId }) =>
      serial(async () => {
        const { one } = place(scope, workspaceId)
        one.file.reload()
        if (!one.file.exists) await one.file.write(firstText[scope])
        return { absolute: one.file.absolute }
      }),
    readText: ({ scope, workspaceId }) => {
      const { one } = place(scope, workspaceId)
      one.file.reload()
      return { absolute: one.file.absolute, text: one.file.exists ? one.file.text : firstText[scope] }
    },
    writeText: ({ scope, workspaceId, before, text }) =>
      serial(async () => {
        refuseBroken(text)
        await write(scope, workspaceId, now => {
          if (now !== before)
            throw new BelayError(
              'stale',
              'The file was changed elsewhere since you opened it. Nothing was written; read it again first.',
            )
          return text
        })
        return snapshot(workspaceId)
      }),
  }

  return {
    handlers,
    events,
    changed,
    get: <K extends SettingKey>(key: K, workspaceRoot?: string) =>
      layered(key, user.said, workspaceRoot === undefined ? null : ofRoot(workspaceRoot).said).value as SettingOf<K>,
    dispose() {
      for (const each of [user, keymap, ...workspaces.values()]) each.end()
      workspaces.clear()
    },
  }
}

function layered(key: SettingKey, user: Layer, workspace: Layer | null): SettingsSnapshot['values'][number] {
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

function refuseValue(scope: 'user' | 'workspace', key: string, value: unknown): void {
  if (!isSettingKey(key))
    throw new BelayError('invalid', `There is no setting ${key}. The settings page lists every name.`)
  if (scope === 'workspace' && !settingDefs[key].workspace)
    throw new BelayError('denied', `A workspace may not set ${key}. Set it for yourself instead.`)
  const why = refusal(key, value)
  if (why) throw new BelayError('invalid', `${key} was not changed. ${why}`)
}

const unreadable = (file: TextFile, scope: 'user' | 'workspace'): SettingProblem[] =>
  file.fault ? [{ scope, file: file.absolute, key: null, message: `The file cannot be read. ${file.fault}` }] : []
