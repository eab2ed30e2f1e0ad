/** The icons a built Belay carries: its windows' own, and what a browser needs to install it as an app. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Plugin } from 'vite'

/** `builtFiles` finds it there. Only Linux asks a running window for its icon; elsewhere it is in the executable. */
export const windowIcon = (root: string): Plugin => ({
  name: 'belay-window-icon',
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'icon.png',
      source: readFileSync(join(root, 'resources/icons/desktop/256x256.png')),
    })
  },
})

const APPLE = 'apple-touch-icon.png'
const installIcons = ['icon-192.png', 'icon-512.png', 'maskable-192.png', 'maskable-512.png']

/** The page's own address and cookie are the app's: the manifest is fetched with them. */
export const webManifest = (root: string): Plugin => ({
  name: 'belay-web-manifest',
  transformIndexHtml: () => [
    {
      tag: 'link',
      attrs: { rel: 'manifest', href: './belay.webmanifest', crossorigin: 'use-credentials' },
      injectTo: 'head',
    },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: `./icons/${APPLE}` }, injectTo: 'head' },
  ],
  generateBundle() {
    for (const file of [...installIcons, APPLE])
      this.emitFile({
        type: 'asset',
        fileName: `icons/${file}`,
        source: readFileSync(join(root, 'resources/icons/web', file)),
      })
    this.emitFile({ type: 'asset', fileName: 'belay.webmanifest', source: JSON.stringify(manifest(root)) })
  },
})

function manifest(root: string): object {
  const { description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { description: string }
  const icons = installIcons.map(file => {
    const [purpose = '', width = ''] = basename(file, '.png').split('-')
    return {
      src: `icons/${file}`,
      type: 'image/png',
      sizes: `${width}x${width}`,
      purpose: purpose === 'icon' ? 'any' : purpose,
    }
  })
  return { name: 'Belay', short_name: 'Belay', description, id: '/', start_url: '/', display: 'standalone', icons }
}
