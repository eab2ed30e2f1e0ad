/** The built window, file by file. Promise: nothing outside its folder is ever read, whatever the URL or a link says. */
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { Readable } from 'node:stream'

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

export interface StaticFile {
  readonly bytes: number
  readonly mediaType: string
  /** The build puts a hash into the names under `assets/`: such a file never changes. */
  readonly immutable: boolean
  read(): Readable
}

/** Null where there is no such file. `urlPath` is a URL's path, still encoded. */
export async function findStaticFile(folder: string, urlPath: string): Promise<StaticFile | null> {
  const path = safePath(urlPath)
  if (path === null) return null
  try {
    const root = await realpath(folder)
    const file = await realpath(join(root, path === '' ? 'index.html' : path))
    if (!file.startsWith(root + sep)) return null
    const found = await stat(file)
    if (!found.isFile()) return null
    return {
      bytes: found.size,
      mediaType: mediaTypes[extname(file).toLowerCase()] ?? 'application/octet-stream',
      immutable: /^assets\/.+-[\w-]{8,}\.\w+$/.test(path),
      read: () => createReadStream(file),
    }
  } catch {
    return null
  }
}

/** A relative path of plain names, or null. Names are judged after one decoding, and never decoded again. */
function safePath(urlPath: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(urlPath)
  } catch {
    return null
  }
  const names = decoded.replace(/^\//, '').split('/')
  const safe = names.every((name, index) => (name !== '' || index === 0) && !/^\.|[\\\0:]/.test(name))
  return safe || decoded === '/' ? names.join('/') : null
}
