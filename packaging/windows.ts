/** Belay on Windows: an installer for one person, without an administrator's rights. */
import type { Configuration } from 'electron-builder'
import { windowsPublisher } from './publisher.ts'

export const windows: Configuration = {
  win: {
    target: ['nsis'],
    icon: 'resources/icons/icon.ico',
    ...(windowsPublisher ? { signtoolOptions: { publisherName: [windowsPublisher] } } : {}),
  },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowElevation: false,
    packElevateHelper: false,
    allowToChangeInstallationDirectory: true,
    // Sessions and settings are the person's; an uninstaller leaves them.
    deleteAppDataOnUninstall: false,
    license: 'LICENSE',
    include: 'packaging/windows/installer.nsh',
  },
}
