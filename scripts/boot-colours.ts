/** The few colours of the page before its style sheets are there, taken from the tokens as it is built. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/** Of the page -> of the tokens. */
const wanted = { ground: 'bg-0', bar: 'bg-1', line: 'line-1', text: 'fg-2' }

export const bootColours = (root: string): Plugin => ({
  name: 'belay-boot-colours',
  transformIndexHtml() {
    const css = readFileSync(join(root, 'src-renderer/app/theme/tokens.css'), 'utf8')
    return [{ tag: 'style', children: bootStyle(css), injectTo: 'head-prepend' }]
  },
})

/** The remembered theme, else the system's. Throws when the tokens have lost one. */
export function bootStyle(css: string): string {
  const colours = (theme: string) =>
    Object.entries(wanted)
      .map(([name, token]) => `--boot-${name}:${colourOf(css, theme, token)};`)
      .join('')
  const system = (query: string, theme: string) => `@media ${query}{:root:not([data-theme]){${colours(theme)}}}`
  const chosen = ['dark', 'contrast', 'contrast-light'].map(theme => `:root[data-theme="${theme}"]{${colours(theme)}}`)
  return [
    `:root{${colours('light')}}`,
    system('(prefers-color-scheme:dark)', 'dark'),
    system('(prefers-contrast:more)', 'contrast-light'),
    system('(prefers-contrast:more) and (prefers-color-scheme:dark)', 'contrast'),
    ...chosen,
  ].join('')
}

function colourOf(css: string, theme: string, token: string): string {
  const [block = ''] = css.slice(css.indexOf(`[data-theme="${theme}"] {`)).split('}')
  const value = new RegExp(`--${token}: ([^;]+);`).exec(block)?.[1]
  if (value === undefined) throw new Error(`No --${token} in the theme ${theme}`)
  return value
}
