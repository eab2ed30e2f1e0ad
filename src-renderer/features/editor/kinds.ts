/** What a file is to the eye, by its name. */
import type { AnyPath } from '#contract/path'

const nameOf = (path: AnyPath) => ('uri' in path ? path.uri : path.path).toLowerCase()

/** SVG is text too, but first a picture; its tab offers the text. */
export const isImage = (path: AnyPath): boolean => /\.(png|jpe?g|gif|webp|avif|bmp|ico)$/.test(nameOf(path))
export const isSvg = (path: AnyPath): boolean => /\.svg$/.test(nameOf(path))
export const isMarkdown = (path: AnyPath): boolean => /\.(md|markdown|mdx)$/.test(nameOf(path))
