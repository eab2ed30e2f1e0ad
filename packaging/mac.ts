/** Belay on macOS: one app in a dmg, and as the zip that its updater takes. Signed where the builder has an identity, and then hardened. */
import type { Configuration } from 'electron-builder'

const opens = (name: string, types: readonly string[], role: 'Editor' | 'Viewer') => ({
  CFBundleTypeName: name,
  CFBundleTypeRole: role,
  // Others stay the usual program for these; Belay is offered.
  LSHandlerRank: 'Alternate',
  LSItemContentTypes: types,
})

export const mac: Configuration = {
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.developer-tools',
    icon: 'resources/icons/icon.icns',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'packaging/mac/entitlements.plist',
    entitlementsInherit: 'packaging/mac/entitlements.plist',
    protocols: [{ name: 'Belay', schemes: ['belay'] }],
    extendInfo: {
      CFBundleDocumentTypes: [
        opens('Folder', ['public.folder'], 'Editor'),
        opens('Text', ['public.text', 'public.plain-text', 'public.source-code', 'public.script'], 'Editor'),
        opens('Data', ['public.json', 'public.xml', 'public.yaml', 'net.daringfireball.markdown'], 'Editor'),
      ],
    },
  },
  dmg: { writeUpdateInfo: false },
}
