import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Resvg } from '@resvg/resvg-js'
import { expect, test } from 'vitest'

const { drawIcons, folder } = (await import('./icons.mjs' as string)) as {
  drawIcons(): Promise<Map<string, Buffer>>
  folder: string
}
const bytesOf = (file: string) => readFileSync(join(folder, file))
const widthOf = (png: Buffer) => png.readUInt32BE(16)

/** The colours of a PNG, by the same engine that drew it. */
function pixelsOf(png: Buffer): Buffer {
  const side = widthOf(png)
  const uri = `data:image/png;base64,${png.toString('base64')}`
  return new Resvg(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><image href="${uri}" width="${side}" height="${side}" /></svg>`,
  ).render().pixels
}

/** Processors round differently in the last bit of a channel, and in nothing else. */
function differing(a: Buffer, b: Buffer): number {
  if (a.equals(b)) return 0
  const [one, other] = [pixelsOf(a), pixelsOf(b)]
  if (one.length !== other.length) return Number.POSITIVE_INFINITY
  return one.reduce((most, value, at) => Math.max(most, Math.abs(value - (other[at] ?? 0))), 0)
}

function icoEntries(ico: Buffer): { width: number; bytes: Buffer }[] {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, index) => {
    const entry = 6 + 16 * index
    const [size, start] = [ico.readUInt32LE(entry + 8), ico.readUInt32LE(entry + 12)]
    return { width: ico[entry] || 256, bytes: ico.subarray(start, start + size) }
  })
}

function icnsEntries(icns: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>()
  for (let at = 8; at < icns.length; ) {
    const bytes = icns.readUInt32BE(at + 4)
    entries.set(icns.toString('latin1', at, at + 4), icns.subarray(at + 8, at + bytes))
    at += bytes
  }
  return entries
}

test('what is committed is what the drawings give', async () => {
  const drawn = await drawIcons()
  const committed = (await readdir(folder, { recursive: true })).filter(file => /[.](png|ico|icns)$/.test(file))
  expect(committed.map(file => file.replaceAll('\\', '/')).sort()).toEqual([...drawn.keys()].sort())
  const pictures = [...drawn].filter(([file]) => file.endsWith('.png'))
  const stale = pictures.filter(([file, png]) => differing(png, bytesOf(file)) > 1).map(([file]) => file)
  expect(stale, 'run `npm run icons` and commit').toEqual([])
  for (const file of ['icon.ico', 'icon.icns']) expect(bytesOf(file).length).toBe(drawn.get(file)?.length)
})

test('every size is there, in the containers too', () => {
  for (const size of [16, 24, 32, 48, 64, 128, 256, 512, 1024]) {
    const png = bytesOf(`desktop/${size}x${size}.png`)
    expect([widthOf(png), png.readUInt32BE(20)]).toEqual([size, size])
  }
  expect(icoEntries(bytesOf('icon.ico')).map(({ width }) => width)).toEqual([16, 24, 32, 48, 64, 128, 256])
  const icns = icnsEntries(bytesOf('icon.icns'))
  const widths = { ic11: 32, ic12: 64, ic07: 128, ic13: 256, ic08: 256, ic14: 512, ic09: 512, ic10: 1024 }
  for (const [type, width] of Object.entries(widths))
    expect([type, widthOf(icns.get(type) ?? Buffer.alloc(24))]).toEqual([type, width])
  expect(['ic04', 'ic05'].map(type => icns.get(type)?.toString('latin1', 0, 4))).toEqual(['ARGB', 'ARGB'])
})

test('outlines: Apple leaves a margin, a maskable picture fills its square and keeps its middle', () => {
  const alphaAt = (png: Buffer, x: number, y: number) => pixelsOf(png)[4 * (y * widthOf(png) + x) + 3]
  const apple = icnsEntries(bytesOf('icon.icns')).get('ic10') ?? Buffer.alloc(24)
  expect([alphaAt(apple, 512, 40), alphaAt(apple, 512, 120)]).toEqual([0, 255])
  expect(alphaAt(bytesOf('desktop/512x512.png'), 2, 2)).toBe(0)
  const maskable = bytesOf('web/maskable-512.png')
  const corners = [0, 511].flatMap(x => [0, 511].map(y => alphaAt(maskable, x, y)))
  expect(corners).toEqual([255, 255, 255, 255])
  expect(whiteOutside(maskable, 0.4)).toBe(0)
})

/** Pixels of the carabiner outside a circle of `radius` widths: a launcher may cut them off. */
function whiteOutside(png: Buffer, radius: number): number {
  const [side, pixels] = [widthOf(png), pixelsOf(png)]
  let found = 0
  for (let at = 0; at < side * side; at++) {
    const [x, y] = [at % side, Math.floor(at / side)]
    const white = [0, 1, 2].every(channel => (pixels[4 * at + channel] ?? 0) > 200)
    if (white && Math.hypot(x - side / 2, y - side / 2) > radius * side) found += 1
  }
  return found
}

test('the mark of the window, of symbolic icons and of the sources is one', () => {
  const mark = bytesOf('source/mark.svg').toString()
  const drawing = /d="([^"]+)"/.exec(mark)?.[1]
  expect(drawing).toMatch(/^M/)
  // One colour, and that is the desktop's to give.
  expect(mark).not.toMatch(/fill|stroke|style|class/)
  const component = readFileSync(join(folder, '../../src-renderer/ui/mark.tsx'), 'utf8')
  expect(component).toContain(`'${drawing}'`)
})
