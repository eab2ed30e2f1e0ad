/** Belay on Linux: an AppImage for one person, a deb for the machine. */
import { join } from 'node:path'
import type { Configuration } from 'electron-builder'
import { maintainer } from './publisher.ts'

/** What a file manager offers Belay for, beside folders: text that an editor is asked to open. */
const textTypes = [
  'text/plain',
  'text/markdown',
  'text/css',
  'text/html',
  'text/csv',
  'text/x-c',
  'text/x-c++',
  'text/x-csrc',
  'text/x-chdr',
  'text/x-c++src',
  'text/x-c++hdr',
  'text/x-csharp',
  'text/x-diff',
  'text/x-go',
  'text/x-java',
  'text/x-lua',
  'text/x-makefile',
  'text/x-patch',
  'text/x-perl',
  'text/x-python',
  'text/x-python3',
  'text/x-ruby',
  'text/x-tex',
  'text/rust',
  'application/javascript',
  'application/json',
  'application/toml',
  'application/typescript',
  'application/x-php',
  'application/x-ruby',
  'application/x-shellscript',
  'application/xml',
  'application/yaml',
]

/** Where the deb puts the app's executable; the AppImage has its own entry. */
const INSTALLED = '/opt/Belay/belay'

/** The mark in one colour, which the desktop chooses: for panels and high contrast. electron-builder knows coloured icons only. */
const symbolicIcon = [
  join(import.meta.dirname, '../resources/icons/source/mark.svg'),
  '/usr/share/icons/hicolor/symbolic/apps/belay-symbolic.svg',
].join('=')

const desktop = (executable: string) => ({
  entry: {
    GenericName: 'Code Editor',
    'GenericName[zh_CN]': '代码编辑器',
    'Comment[zh_CN]': '编码智能体系着安全绳工作的桌面 IDE。',
    Keywords: 'IDE;editor;code;development;agent;AI;programming;',
    'Keywords[zh_CN]': '编辑器;代码;开发;编程;智能体;',
    StartupNotify: 'true',
    Actions: 'NewWindow;',
  },
  desktopActions: {
    NewWindow: { Name: 'New Window', 'Name[zh_CN]': '新建窗口', Icon: 'belay', Exec: `${executable} --new-window` },
  },
})

export const linux: Configuration = {
  linux: {
    target: ['AppImage', 'deb'],
    executableName: 'belay',
    // The window and its entry belong together by this name: package.json has it too.
    syncDesktopName: true,
    category: 'Development;IDE;TextEditor',
    synopsis: 'A desktop IDE in which a coding agent works on a rope',
    maintainer,
    vendor: 'Belay contributors',
    icon: 'resources/icons/desktop',
    mimeTypes: ['inode/directory', 'x-scheme-handler/belay', ...textTypes],
  },
  appImage: { desktop: desktop('AppRun') },
  deb: {
    desktop: desktop(INSTALLED),
    packageCategory: 'devel',
    priority: 'optional',
    fpm: [symbolicIcon],
    afterInstall: 'packaging/deb/after-install.sh',
    afterRemove: 'packaging/deb/after-remove.sh',
    // What Electron's executable is linked with or cannot do without; names of before and after the change of time_t.
    depends: [
      'libgtk-3-0 | libgtk-3-0t64',
      'libnotify4',
      'libnss3',
      'libxss1',
      'libxtst6',
      'xdg-utils',
      'libatspi2.0-0 | libatspi2.0-0t64',
      'libuuid1',
      'libsecret-1-0',
      'libasound2 | libasound2t64',
      'libgbm1',
    ],
    // The jail of the agent's commands, and git. Without them Belay works, asks about every command, and says so.
    recommends: ['bubblewrap', 'socat', 'git', 'libayatana-appindicator3-1'],
  },
}
