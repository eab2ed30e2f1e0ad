/** What a window may ask of the machine around it. Nothing here returns a secret; a browser tab has a poorer version of each. */
import { z } from 'zod'
import { event, request } from './define.ts'
import { SessionId } from './id.ts'
import { MachineReport } from './machine.ts'
import { Waiting } from './news.ts'
import { ShellCommand } from './shell-command.ts'
import { languages, themes } from './window-settings.ts'

export const HostCapabilities = z.object({
  kind: z.enum(['desktop', 'web']),
  platform: z.enum(['linux', 'darwin', 'win32']),
  /** Native ones, for folders, files and saving; else the window has its own. */
  nativeDialogs: z.boolean(),
  reveal: z.boolean(),
  windowControls: z.boolean(),
})
export type HostCapabilities = z.infer<typeof HostCapabilities>

/** How the supervisor's children are: shown in the window while they restart. */
export const ChildState = z.object({
  child: z.enum(['sidecar', 'pty-host']),
  /** `silent`: it runs but does not answer. Nothing is lost yet; it may come back, and a person may start it anew. */
  state: z.enum(['starting', 'ready', 'silent', 'restarting', 'failed']),
  /** Milliseconds until the next try, when restarting; until it is ended and started anew, when silent (null: never unasked). */
  retryInMs: z.number().nullable(),
  message: z.string().nullable(),
})
export type ChildState = z.infer<typeof ChildState>

/** What the platform itself does when an item of the menu bar is chosen; the only ones that a window may name. */
export const MenuRole = z.enum([
  ...['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit'],
  ...['cut', 'copy', 'paste', 'selectAll'],
  ...['minimize', 'zoom', 'front'],
] as const)
export type MenuRole = z.infer<typeof MenuRole>

const MenuCommand = z.object({
  kind: z.literal('command'),
  command: z.string().max(100),
  title: z.string().max(200),
  /** In the table's notation; null where none is bound. */
  keys: z.string().max(50).nullable(),
  enabled: z.boolean(),
  /** Null for what is neither on nor off. */
  checked: z.boolean().nullable(),
})
export const MenuItem = z.discriminatedUnion('kind', [
  MenuCommand,
  z.object({ kind: z.literal('role'), role: MenuRole, title: z.string().max(200) }),
  z.object({ kind: z.literal('separator') }),
  /** The workspaces of late, each opened by a click; the last item forgets them all. */
  z.object({ kind: z.literal('recent'), title: z.string().max(200), clear: MenuCommand }),
])
export type MenuItem = z.infer<typeof MenuItem>

const Menu = z.object({
  id: z.enum(['app', 'file', 'edit', 'view', 'go', 'agent', 'terminal', 'window', 'help']),
  title: z.string().max(100),
  items: z.array(MenuItem).max(200),
})

/** The menu bar as the window wants it, in the person's language. Chosen commands come back to the window by their ids. */
export const MenuTemplate = z.object({
  menus: z.array(Menu).max(10),
  recent: z.array(z.object({ folder: z.string().max(4096), title: z.string().max(300) })).max(30),
  /** Of the dock and the jump list. */
  newWindow: z.string().max(100),
  recentTitle: z.string().max(100),
})
export type MenuTemplate = z.infer<typeof MenuTemplate>

/** What a window shows: for its title, and for coming back to it. */
export const Shown = z.object({
  title: z.string().max(300),
  /** The opened folder, absolute; null for the welcome page. */
  folder: z.string().max(8192).nullable(),
  /** All folders of the workspace, absolute. */
  folders: z.array(z.string().max(8192)).max(1000),
  /** The file in front, absolute; macOS shows it in the title bar. */
  file: z.string().max(8192).nullable(),
  /** Some text is not saved as a file yet. */
  unsaved: z.boolean(),
  /** The window's own, in percent; null while it follows the setting. */
  zoom: z.number().min(50).max(200).nullable(),
  /** As everything is shown, in percent: by its own zoom or by the setting. */
  scale: z.number().min(50).max(200),
})
export type Shown = z.infer<typeof Shown>

/** Why a page had to be made anew: Chromium's own words, and `hung` for one that a person gave up. */
export const GoneReason = z.enum([
  'abnormal-exit',
  'crashed',
  'hung',
  'integrity-failure',
  'killed',
  'launch-failed',
  'memory-eviction',
  'oom',
])
export type GoneReason = z.infer<typeof GoneReason>

/** What a window is asked to show, from outside of it: a second start, a link, a dropped file, a click on a notification. */
export const Opening = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), absolute: z.string() }),
  z.object({
    kind: z.literal('file'),
    absolute: z.string(),
    line: z.number().int().positive().nullable(),
    column: z.number().int().positive().nullable(),
  }),
  /** `toAsk`: the focus goes to what it asks. */
  z.object({ kind: z.literal('session'), sessionId: SessionId, toAsk: z.boolean() }),
  z.object({ kind: z.literal('command'), command: z.string() }),
])
export type Opening = z.infer<typeof Opening>

const nothing = z.object({})
const Wanted = z.object({ title: z.string().max(200), from: z.string().max(8192).nullable(), several: z.boolean() })

export const host = {
  capabilities: request(nothing, HostCapabilities),
  /** The folder this window was started for, or showed last; null for the welcome page. `gone`: why the page before is no more, once. */
  initialFolder: request(nothing, z.object({ folder: z.string().nullable(), gone: GoneReason.nullable().optional() })),
  /** Native dialogs: empty when cancelled, or where there are none. Where they begin is an absolute path. */
  pickFolders: request(Wanted, z.object({ folders: z.array(z.string()) })),
  pickFiles: request(Wanted, z.object({ files: z.array(z.string()) })),
  /** Where to save something; nothing is written. It is offered `from`, an absolute path. Null when cancelled, or without such a dialog. */
  pickSaveFile: request(
    z.object({ title: z.string().max(200), from: z.string().max(8192) }),
    z.object({ file: z.string().nullable() }),
  ),
  /** Written where the person says; null when cancelled, or where there is no such dialog. `name` is what it is offered as. */
  saveText: request(
    z.object({ title: z.string().max(200), name: z.string().max(255), text: z.string().max(64_000_000) }),
    z.object({ path: z.string().nullable() }),
  ),
  /** https, mailto and http on loopback only; everything else is refused (`invalid`). */
  openExternal: request(z.object({ url: z.string().max(8192) }), nothing),
  reveal: request(z.object({ absolute: z.string() }), nothing),
  /** The window that shows the folder comes to the front; where none does, one is opened. */
  newWindow: request(z.object({ folder: z.string().nullable() }), nothing),
  /** Another window that shows the folder comes to the front; `focused` false: none does, or nobody knows (a browser). */
  focusWindow: request(z.object({ folder: z.string() }), z.object({ focused: z.boolean() })),
  /** `closed` false: the window is a browser's to close. */
  closeWindow: request(nothing, z.object({ closed: z.boolean() })),
  /** `done` false: the page may do it itself. */
  toggleFullScreen: request(nothing, z.object({ done: z.boolean() })),
  setShown: request(Shown, nothing),
  /** So that what is not the page (title bar, native dialogs, the next window's first paint) has its colours and its language. */
  setLook: request(z.object({ theme: z.enum(themes), language: z.enum(languages) }), nothing),
  /** The menu bar as a menu, at this place of the window in its own pixels. */
  showMenu: request(z.object({ x: z.number(), y: z.number() }), nothing),
  /** What the window was asked to show and has not taken yet, in that order. */
  takeOpenings: request(nothing, z.object({ openings: z.array(Opening) })),
  /** All that waits for the person now, each time that changes: what is new is told, what is gone is taken back. */
  waiting: request(Waiting, nothing),
  /** Makes the system's own lists of what was opened of late empty. */
  clearRecent: request(nothing, nothing),
  /** Keys are only shown, the window's own keymap acts. Nothing happens in a browser. */
  setMenu: request(MenuTemplate, nothing),
  children: request(nothing, z.object({ children: z.array(ChildState) })),
  restart: request(z.object({ child: z.enum(['sidecar', 'pty-host']) }), nothing),
  /** What it printed last, of all its lives, keys struck out. */
  childLines: request(z.object({ child: z.enum(['sidecar', 'pty-host']) }), z.object({ lines: z.array(z.string()) })),
  /** Ends Belay, which may ask first. Nothing happens in a browser: who started it there ends it. */
  quit: request(nothing, nothing),
  childChanged: event(ChildState),
  machine: request(nothing, MachineReport),
  machineChanged: event(MachineReport),
  /** Only where it failed: the login shell is asked for its environment once more. */
  askShellAgain: request(nothing, nothing),
  /** There is something to take (`takeOpenings`). */
  opened: event(nothing),
  /** Of which sources it was packed, and a file with the terms of others; null, each, where it runs from its sources. */
  about: request(
    nothing,
    z.object({ commit: z.string().nullable(), date: z.string().nullable(), licences: z.string().nullable() }),
  ),
  /** The command `belay` in the person's terminals. Throws `unavailable` where it could not be written. */
  shellCommand: request(z.object({ wish: z.enum(['look', 'install', 'remove']) }), ShellCommand),
  /** A menu item or a global key: the id of a command for the window's own runner. */
  command: event(z.object({ command: z.string() })),
} as const
