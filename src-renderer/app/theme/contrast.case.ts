/** WCAG 2 contrast between OKLCH colours, as a browser paints them: in sRGB, tints laid over what is below. */

/** Red, green, blue as painted (0 to 1, gamma encoded) and alpha. */
export type Rgba = readonly [number, number, number, number]

/** `oklch(l c h)` or `oklch(l c h / a)`; throws on anything else. */
export function parseColour(text: string): Rgba {
  const [, l, c, h, alpha] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)(?: \/ ([\d.]+))?\)$/.exec(text) ?? []
  if (l === undefined) throw new Error(`Not a colour: ${text}`)
  return [...painted(Number(l), Number(c), (Number(h) * Math.PI) / 180), Number(alpha ?? 1)]
}

function painted(l: number, c: number, hue: number): [number, number, number] {
  const [a, b] = [c * Math.cos(hue), c * Math.sin(hue)]
  const [x, y, z] = [
    (l + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (l - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (l - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  return [
    encode(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
    encode(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
    encode(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z),
  ]
}

function encode(linear: number): number {
  const value = Math.min(1, Math.max(0, linear))
  return value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
}

const decode = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)

/** `above` laid over an opaque colour. */
export function over([red, green, blue, alpha]: Rgba, below: Rgba): Rgba {
  const mix = (top: number, bottom: number) => top * alpha + bottom * (1 - alpha)
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 1]
}

const luminance = ([red, green, blue]: Rgba) => 0.2126 * decode(red) + 0.7152 * decode(green) + 0.0722 * decode(blue)

/** From 1 to 21; both opaque. */
export function contrast(a: Rgba, b: Rgba): number {
  const [high, low] = [luminance(a), luminance(b)].sort((one, other) => other - one) as [number, number]
  return (high + 0.05) / (low + 0.05)
}
