/** Every setting there is: its type, default, and whether a workspace may set it. Labels come from the catalogue (`setting.<key>`). */
import { z } from 'zod'
import { LanguageServerSetting } from './language.ts'
import { CustomProvider, ProxySetting } from './provider-settings.ts'
import { searchProviders } from './web.ts'
import { languages, restoreWindows, themes, titleBarStyles, updateChecks } from './window-settings.ts'

export interface SettingDef<T = unknown> {
  readonly schema: z.ZodType<T>
  readonly default: T
  /** False for whatever could widen trust or move traffic: a workspace file's value is then ignored and said so. */
  readonly workspace: boolean
  readonly group: 'appearance' | 'editor' | 'terminal' | 'agent' | 'files' | 'notifications'
  /** For enums: their values, in order. For numbers: bounds. */
  readonly choices?: readonly string[]
  readonly min?: number
  readonly max?: number
  /** It is edited on a page of its own, not in the list. */
  readonly page?: 'models' | 'languages' | 'json'
}

const choice = <const V extends string>(
  group: SettingDef['group'],
  values: readonly [V, ...V[]],
  initial: NoInfer<V>,
  workspace = true,
): SettingDef<V> => ({
  schema: z.enum(values),
  default: initial,
  workspace,
  group,
  choices: values,
})
const number = (
  group: SettingDef['group'],
  min: number,
  max: number,
  initial: number,
  workspace = true,
): SettingDef<number> => ({
  schema: z.number().min(min).max(max),
  default: initial,
  workspace,
  group,
  min,
  max,
})
const flag = (group: SettingDef['group'], initial: boolean, workspace = true): SettingDef<boolean> => ({
  schema: z.boolean(),
  default: initial,
  workspace,
  group,
})
const text = (group: SettingDef['group'], initial: string, workspace = true): SettingDef<string> => ({
  schema: z.string().max(1000),
  default: initial,
  workspace,
  group,
})

/** Of files and folders. A folder's own settings may not hide what is in it. */
const names = (): SettingDef<string[]> => ({
  schema: z.array(z.string().min(1).max(255)).max(200),
  default: [],
  workspace: false,
  group: 'files',
})

export const settingDefs = {
  'appearance.theme': choice('appearance', themes, 'system', false),
  'appearance.language': choice('appearance', languages, 'system', false),
  'appearance.zoom': number('appearance', 50, 200, 100),
  'appearance.reducedMotion': choice('appearance', ['system', 'on', 'off'], 'system', false),
  'window.restoreWindows': choice('appearance', restoreWindows, 'all', false),
  'window.titleBarStyle': choice('appearance', titleBarStyles, 'custom', false),
  'update.check': choice('appearance', updateChecks, 'manual', false),
  'editor.fontFamily': text('editor', ''),
  'editor.fontSize': number('editor', 8, 40, 13),
  'editor.tabSize': number('editor', 1, 16, 2),
  'editor.insertSpaces': flag('editor', true),
  'editor.wordWrap': flag('editor', false),
  'editor.minimap': flag('editor', false),
  'editor.lineNumbers': flag('editor', true),
  'editor.renderWhitespace': choice('editor', ['none', 'selection', 'all'], 'selection'),
  /** Beside names of files: in the explorer and on tabs. */
  'problems.marks': flag('editor', true),
  'editor.formatOnSave': flag('editor', false),
  'editor.inlayHints': flag('editor', false),
  'files.autoSave': choice('files', ['off', 'afterDelay', 'onFocusChange'], 'off'),
  'files.trimTrailingWhitespace': flag('files', false),
  'files.insertFinalNewline': flag('files', false),
  'files.confirmDelete': flag('files', true, false),
  /** In the texts that name what is moved or renamed in the explorer. */
  'files.updateImports': choice('files', ['ask', 'always', 'never'], 'ask', false),
  /** Of `belay://`, which anybody may write. */
  'links.open': flag('files', true, false),
  /** Names that are left out everywhere by default (left-out.ts) and are to be kept in. */
  'files.keepIn': names(),
  /** Names that are left out besides: dimmed, not searched, watched only while they are open. */
  'files.leaveOut': names(),
  /** How long, and how much beside a copy of what stands there, is kept of a folder so that it can be taken back. */
  'checkpoints.keepDays': number('files', 1, 365, 30, false),
  'checkpoints.mostGigabytes': number('files', 0.1, 1000, 2, false),
  /** What stays free on the disk that it is kept on. */
  'checkpoints.leastFreeGigabytes': number('files', 0, 1000, 0.5, false),
  'terminal.shell': text('terminal', '', false),
  'terminal.fontSize': number('terminal', 8, 40, 13),
  'terminal.scrollback': number('terminal', 1000, 100_000, 10_000),
  'terminal.shellIntegration': flag('terminal', true, false),
  'agent.mode': choice('agent', ['plan', 'default', 'acceptEdits', 'auto'], 'default', false),
  'agent.model': text('agent', '', false),
  /** For titles and the like; '' is the model of the session. */
  'agent.smallModel': text('agent', '', false),
  /** Goes on where the chosen model cannot answer now; '' is none. */
  'agent.fallbackModel': text('agent', '', false),
  /** Providers of the person's own, and what differs for those that ship. */
  'agent.providers': {
    schema: z.array(CustomProvider).max(100),
    default: [] as CustomProvider[],
    workspace: false,
    group: 'agent',
    page: 'models',
  },
  'agent.effort': choice('agent', ['auto', 'low', 'medium', 'high', 'max'], 'auto', false),
  'agent.maxTurns': number('agent', 1, 1000, 100),
  /** Percent of the model's window at which a conversation is compacted. */
  'agent.compactAt': number('agent', 20, 95, 75),
  /** Messages that the model is told at which it is compacted too; 0: however many. */
  'agent.compactMessages': number('agent', 0, 10_000, 400),
  /** Seconds that a model may say nothing. */
  'agent.patience': number('agent', 1, 3600, 120),
  /** The model's provider may search the web for it: outside this machine and its permissions, so a folder may not switch it on. */
  'agent.webSearch': flag('agent', false, false),
  /** The service that the agent searches the web by, each query being asked about like any page. */
  'web.search': choice('agent', searchProviders, 'none', false),
  /** Of a SearXNG server. */
  'web.searchUrl': text('agent', '', false),
  /** Folders that commands may write to besides the workspace: of the person's own choosing only, `~` allowed. */
  'sandbox.writableFolders': {
    schema: z.array(z.string().min(1).max(1000)).max(100),
    default: [] as string[],
    workspace: false,
    group: 'agent',
  },
  /** The machine does not fall asleep by itself while the agent works. */
  'agent.keepAwake': flag('agent', true, false),
  /** The way out of this machine: `system`, `none`, an address, or `env:NAME`. Traffic is nothing that a folder may move. */
  'http.proxy': { schema: ProxySetting, default: 'system' as string, workspace: false, group: 'agent' },
  /** By the system, where the window has not the focus. */
  'notifications.asks': flag('notifications', true, false),
  'notifications.ends': flag('notifications', true, false),
  'notifications.badge': flag('notifications', true, false),
  'notifications.sound': flag('notifications', false, false),
  'notifications.bounce': flag('notifications', false, false),
  'language.enabled': flag('agent', true),
  /** Milliseconds that a write waits for its verdict. */
  'language.budget': number('agent', 0, 30_000, 2000),
  /** Servers by name. They run programs, so a folder may name none. */
  'language.servers': {
    schema: z.record(z.string().min(1).max(60), LanguageServerSetting),
    default: {} as Record<string, LanguageServerSetting>,
    workspace: false,
    group: 'agent',
    page: 'languages',
  },
} as const satisfies Record<string, SettingDef>

export type SettingKey = keyof typeof settingDefs
export type SettingOf<K extends SettingKey> = (typeof settingDefs)[K]['default']
