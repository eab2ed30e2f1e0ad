/** What the scanner points at and we keep, each with the reason. One that no longer is there fails the test, as one without a reason does. */
export interface Argued {
  readonly rule: string
  readonly path: string
  /** How the found text begins. */
  readonly text: string
  readonly because: string
}

export const argued: readonly Argued[] = [
  {
    rule: 'IPC_CHANNEL',
    path: 'src-main/host/ports.ts',
    text: "ipcMain.on('belay:connect'",
    because:
      'The only channel. It takes two short texts, from the top frame of our page in a window of ours, and no flood.',
  },
  {
    rule: 'PROTOCOL_HANDLER',
    path: 'src-main/window/app-scheme.ts',
    text: 'protocol.handle(APP_SCHEME',
    because:
      'The page itself: files of the built window, never above its folder, every answer under the page’s policy.',
  },
  {
    rule: 'PROTOCOL_HANDLER',
    path: 'src-main/open/link-claim.ts',
    text: 'app.setAsDefaultProtocolClient(LINK_SCHEME',
    because:
      'Links come after `--`, so none of them is a switch; link.ts parses them, and a packaged app refuses dangerous switches.',
  },
  {
    rule: 'SHOW_ITEM_IN_FOLDER',
    path: 'src-main/host/host.ts',
    text: 'shell.showItemInFolder(absolute)',
    because: 'A full path is selected in the file manager, which opens nothing. Its contents are not read and not run.',
  },
]
