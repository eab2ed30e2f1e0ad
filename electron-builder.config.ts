/** How Belay is packed: for Linux as AppImage and deb, for macOS as dmg and zip, for Windows as an installer. Its parts are in `packaging`. */
import type { Configuration } from 'electron-builder'
import { addLicences } from './packaging/licences.ts'
import { linux } from './packaging/linux.ts'
import { mac } from './packaging/mac.ts'
import { packedFiles, unpackedFiles } from './packaging/packed-files.ts'
import { feedUrl, homepage } from './packaging/publisher.ts'
import { stamp } from './packaging/stamp.ts'
import { windows } from './packaging/windows.ts'
import { APP_ID } from './src-main/app-id.ts'

const configuration: Configuration = {
  appId: APP_ID,
  productName: 'Belay',
  copyright: 'Copyright © Belay contributors',
  extraMetadata: { belay: stamp(), homepage },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: electron-builder fills these in.
  artifactName: '${productName}-${version}-${os}-${arch}.${ext}',
  directories: { buildResources: 'packaging', output: 'dist' },
  asar: true,
  files: packedFiles,
  asarUnpack: unpackedFiles,
  extraResources: [{ from: 'packaging/bin', to: 'bin' }],
  afterPack: addLicences,
  // `packed-files.ts` says which packages go along; and Node-API needs no building again: Node and Electron load the same file.
  beforeBuild: async () => false,
  electronLanguages: ['en', 'zh-CN'],
  electronFuses: {
    // Language servers, the askpass program and the `belay` command are JavaScript on the app's own executable.
    runAsNode: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    resetAdHocDarwinSignature: true,
  },
  publish: feedUrl ? { provider: 'generic', url: feedUrl } : null,
  toolsets: { appimage: '1.0.3' },
  ...linux,
  ...mac,
  ...windows,
}

export default configuration
