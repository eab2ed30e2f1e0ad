/** A quiet picture of what a file is, by its name alone. */
import {
  Braces,
  File,
  FileArchive,
  FileCode,
  FileImage,
  FileLock,
  FileTerminal,
  FileText,
  FileType,
} from 'lucide-react'
import type { IconType } from './button.tsx'

const groups: readonly (readonly [IconType, string])[] = [
  [
    FileCode,
    'ts tsx js jsx mjs cjs mts cts py rb go rs java kt c h cc cpp hpp cs php swift scala lua vue svelte html htm css scss less sql',
  ],
  [Braces, 'json jsonc json5 yaml yml toml xml ini'],
  [FileText, 'md mdx txt rst adoc log csv'],
  [FileImage, 'png jpg jpeg gif webp avif svg ico bmp'],
  [FileArchive, 'zip gz tgz tar bz2 xz 7z rar jar'],
  [FileTerminal, 'sh bash zsh fish ps1 bat cmd'],
  [FileType, 'ttf otf woff woff2'],
  [FileLock, 'lock pem key crt'],
]
const byEnd = new Map(groups.flatMap(([icon, ends]) => ends.split(' ').map(end => [end, icon] as const)))

export const fileIcon = (name: string): IconType =>
  byEnd.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase()) ?? File
