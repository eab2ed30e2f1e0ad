/**
 * Settings in layers: default < user < workspace. A workspace's file counts only while the workspace is trusted, and never
 * for what could widen trust or move traffic. What a file says wrongly is reported; the rest of it counts.
 */
import type { EventName, Handlers, Payload } from '#contract/define'
import { BelayError } from '#contract/error'
import type { WorkspaceId } from '#contract/id'
import type { SettingsSnapshot, settings } from '#contract/settings'
import { type SettingKey, type SettingOf, settingDefs } from '#contract/settings-schema'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import { editArray, editLine, refuseBroken, removeLine } from '../base/json-lines.ts'
import { createSerial } from '../base/serial.ts'
import { listSetAside, setAsides } from '../base/set-aside.ts'
import { isSettingKey, refusal } from './layer.ts'
import { createLayers, type Layers, type LayersOptions, layered, type Scope } from './layers.ts'

type SettingsContract = { readonly settings: typeof settings }

type SettingsEvent = {
  [N in EventName<SettingsContract>]: { name: N; payload: Payload<SettingsContract, N> }
}[EventName<SettingsContract>]

export interface Settings {
  readonly handlers: Handlers<SettingsContract>['settings']
  readonly events: Emitter<SettingsEvent>
  /** `workspaceRoot`: only of a trusted workspace. The file is read at the first call and watched from then on. */
  get<K extends SettingKey>(key: K, workspaceRoot?: string): SettingOf<K>
  /** `root: null` when the user's own settings or keymap changed. */
  readonly changed: Emitter<{ readonly root: string | null }>
  dispose(): void
}

const firstText: Record<Scope, string> = {
  user: '// Your settings: "name": value. The settings page lists every name.\n{\n}\n',
  workspace: '// Settings of this folder, for everybody who works in it.\n{\n}\n',
  keymap: '// Your keys; later lines win. "command": null takes a key away.\n[\n]\n',
}

export function createSettings(options: LayersOptions): Settings {
  const events: Settings['events'] = createEmitter()
  const changed: Settings['changed'] = createEmitter()
  const tell = (root: string | null) => {
    changed.emit({ root })
    const ids: Iterable<WorkspaceId | null> = root === null ? [null] : layers.idsOf(root)
    for (const workspaceId of ids) events.emit({ name: 'settings/changed', payload: { workspaceId } })
  }
  const layers = createLayers(options, tell)
  const unhear = setAsides.on(payload => events.emit({ name: 'settings/foundUnreadable', payload }))
  return {
    handlers: {
      ...handlersOf(layers, tell),
      async unreadable() {
        // What a person writes by hand is left where it is: they mend it there.
        const whole = layers.problems(undefined).filter(({ key }) => key === null)
        const own = [...new Set(whole.map(({ file }) => file))].map(file => ({ file, kept: file }))
        return { files: [...own, ...(await listSetAside(options.folders))] }
      },
    },
    events,
    changed,
    get: <K extends SettingKey>(key: K, workspaceRoot?: string) =>
      layered(key, layers.user, workspaceRoot === undefined ? null : layers.ofRoot(workspaceRoot))
        .value as SettingOf<K>,
    dispose() {
      unhear()
      layers.dispose()
    },
  }
}

function snapshotOf(layers: Layers, workspaceId?: WorkspaceId): SettingsSnapshot {
  const workspace = layers.trusted(workspaceId)?.layer ?? null
  const keys = Object.keys(settingDefs) as SettingKey[]
  return {
    values: keys.map(key => layered(key, layers.user, workspace)),
    problems: layers.problems(workspaceId),
    keymap: layers.keymap.keymap,
  }
}

/** Edits the file of a scope. Throws where it may not be touched or cannot be read: then nothing was written. */
async function write(
  layers: Layers,
  at: { scope: Scope; workspaceId: WorkspaceId | undefined },
  edit: (text: string) => string,
): Promise<string | null> {
  const { file, root } = layers.place(at.scope, at.workspaceId)
  file.reload()
  if (file.fault)
    throw new BelayError('no_permission', `${file.absolute} cannot be read, so nothing was written. ${file.fault}`)
  await file.write(edit(file.exists && file.text.trim() ? file.text : firstText[at.scope]))
  layers.readAgain(at.scope, file)
  return root
}

function handlersOf(layers: Layers, tell: (root: string | null) => void): Omit<Settings['handlers'], 'unreadable'> {
  const serial = createSerial()
  const snapshot = (workspaceId?: WorkspaceId) => snapshotOf(layers, workspaceId)
  const edit = async (scope: Scope, workspaceId: WorkspaceId | undefined, change: (text: string) => string) =>
    tell(await write(layers, { scope, workspaceId }, change))
  return {
    get: ({ workspaceId }) => snapshot(workspaceId),
    set: ({ scope, workspaceId, key, value }) =>
      serial(async () => {
        const remove = value === null || value === undefined
        if (!remove) refuseValue(scope, key, value)
        await edit(scope, workspaceId, text => (remove ? removeLine(text, key) : editLine(text, [key], value)))
        return snapshot(workspaceId)
      }),
    setKeymap: ({ keymap: next }) =>
      serial(async () => {
        await edit('keymap', undefined, text => {
          refuseBroken(text)
          return editArray(text, next)
        })
        return {}
      }),
    file: ({ scope, workspaceId }) =>
      serial(async () => {
        const { file } = layers.place(scope, workspaceId)
        file.reload()
        if (!file.exists) await file.write(firstText[scope])
        return { absolute: file.absolute }
      }),
    readText: ({ scope, workspaceId }) => {
      const { file } = layers.place(scope, workspaceId)
      file.reload()
      return { absolute: file.absolute, text: file.exists ? file.text : firstText[scope] }
    },
    writeText: ({ scope, workspaceId, before, text }) =>
      serial(async () => {
        refuseBroken(text)
        await edit(scope, workspaceId, now => {
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
}

function refuseValue(scope: 'user' | 'workspace', key: string, value: unknown): void {
  if (!isSettingKey(key))
    throw new BelayError('invalid', `There is no setting ${key}. The settings page lists every name.`)
  if (scope === 'workspace' && !settingDefs[key].workspace)
    throw new BelayError('denied', `A workspace may not set ${key}. Set it for yourself instead.`)
  const why = refusal(key, value)
  if (why) throw new BelayError('invalid', `${key} was not changed. ${why}`)
}
