/** Draws every icon of Belay from the SVGs in resources/icons/source; what it makes is committed, and a test compares the two. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Resvg } from '@resvg/resvg-js'
import { IconIcns, IconIco } from '@shockpkg/icon-encoder'
import { root } from './install.mjs'

export const folder = join(root, 'resources/icons')
const source = name => readFileSync(join(folder, 'source', `${name}.svg`), 'utf8')

/** Below these sizes a shrunken picture is mud: they have drawings of their own, on the grid of their pixels. */
const drawnSmall = [16, 24, 32]
const desktopSizes = [...drawnSmall, 48, 64, 128, 256, 512, 1024]
const icoSizes = [16, 24, 32, 48, 64, 128, 256]
/** Apple's types, in the order of its own tool: each with its width in pixels. */
const icnsTypes = [
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic04', 16],
  ['ic14', 512],
  ['ic09', 512],
  ['ic05', 32],
  ['ic10', 1024],
  ['ic11', 32],
]

/** The outline each system gives its icons, on a grid of 1024: Apple leaves a tenth empty and casts a shadow. */
const shapes = {
  full: { margin: 0, radius: 0, shadow: false },
  desktop: { margin: 24, radius: 216, shadow: false },
  apple: { margin: 100, radius: 185, shadow: true },
}

function shaped({ margin, radius, shadow }) {
  const side = 1024 - 2 * margin
  const place = `x="${margin}" y="${margin}" width="${side}" height="${side}" rx="${radius}"`
  const picture = source('app').replace('<svg ', `<svg x="${margin}" y="${margin}" width="${side}" height="${side}" `)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1024 1024">
    <defs>
      <clipPath id="shape"><rect ${place} /></clipPath>
      <filter id="shadow"><feDropShadow dx="0" dy="10" stdDeviation="10" flood-opacity="0.3" /></filter>
    </defs>
    ${shadow ? `<rect ${place} fill="#0a464e" filter="url(#shadow)" />` : ''}
    <g clip-path="url(#shape)">${picture}</g>
  </svg>`
}

const draw = (svg, width) => new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng()
const drawIcon = (shape, width) =>
  drawnSmall.includes(width) ? draw(source(`app-${width}`), width) : draw(shaped(shapes[shape]), width)

/** File below resources/icons -> its bytes. */
export async function drawIcons() {
  const icons = new Map(desktopSizes.map(size => [`desktop/${size}x${size}.png`, drawIcon('desktop', size)]))
  const ico = new IconIco()
  for (const size of icoSizes) await ico.addFromPng(drawIcon('desktop', size))
  const icns = new IconIcns()
  icns.toc = true
  for (const [type, size] of icnsTypes) await icns.addFromPng(drawIcon('apple', size), [type])
  return icons
    .set('icon.ico', Buffer.from(ico.encode()))
    .set('icon.icns', Buffer.from(icns.encode()))
    .set('web/icon-192.png', drawIcon('desktop', 192))
    .set('web/icon-512.png', drawIcon('desktop', 512))
    .set('web/maskable-192.png', drawIcon('full', 192))
    .set('web/maskable-512.png', drawIcon('full', 512))
    .set('web/apple-touch-icon.png', drawIcon('full', 180))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, bytes] of await drawIcons()) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, bytes)
  }
}
