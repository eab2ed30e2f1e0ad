/** What a window may ask of the machine around it. Nothing here returns a secret; a browser tab has a poorer version of each. */
import { z } from 'zod'
import { event, request } from './define.ts'

export const HostCapabilities = z.object({
  kind: z.enum(['desktop', 'web']),
  platform: z.enum(['linux', 'darwin', 'win32']),
  folderDialog: z.boolean(),
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

/** The menu bar as the window wants it: titles in the person's language, items that are ids of commands. */
export const MenuTemplate = z.object({
  menus: z
    .array(
      z.object({
        id: z.enum(['file', 'edit', 'view', 'go', 'agent', 'terminal', 'help']),
        title: z.string().max(100),
        items: z
          .array(
            z.object({ command: z.string().max(100), title: z.string().max(200), keys: z.string().max(50).nullable() }),
          )
          .max(200),
      }),
    )
    .max(10),
})
export type MenuTemplate = z.infer<typeof MenuTemplate>

const nothing = z.object({})

export const host = {
  capabilities: request(nothing, HostCapabilities),
  /** The folder this window was started for, once; null for the welcome page. */
  initialFolder: request(nothing, z.object({ folder: z.string().nullable() })),
  /** A native dialog; null when cancelled or where there is none. */
  pickFolder: request(nothing, z.object({ folder: z.string().nullable() })),
  /** https, mailto and http on loopback only; everything else is refused (`invalid`). */
  openExternal: request(z.object({ url: z.string().max(8192) }), nothing),
  reveal: request(z.object({ absolute: z.string() }), nothing),
  newWindow: request(z.object({ folder: z.string().nullable() }), nothing),
  setTitle: request(z.object({ title: z.string().max(300) }), nothing),
  notify: request(z.object({ title: z.string().max(100), body: z.string().max(500) }), nothing),
  /** `keys` in the table's notation ('$mod+Shift+P'); only shown, the window's own keymap acts. Nothing happens in a browser. */
  setMenu: request(MenuTemplate, nothing),
  children: request(nothing, z.object({ children: z.array(ChildState) })),
  restart: request(z.object({ child: z.enum(['sidecar', 'pty-host']) }), nothing),
  childChanged: event(ChildState),
  /** A menu item or a global key: the id of a command for the window's own runner. */
  command: event(z.object({ command: z.string() })),
} as const
