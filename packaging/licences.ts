/**
 * The words of everybody whose work is in the package: what the bundler took into our own files, what lies in the archive, and
 * what was copied out of a package by hand. Packing fails where a text is missing or a licence is not one of those we know.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPackage } from '@electron/asar'
import type { AfterPackContext } from 'electron-builder'
import { LICENCES_FILE } from '../sidecar/supervise/build-stamp.ts'
import { hasText, isAllowed, standIns } from './licence-rules.ts'

export interface Licensed {
  readonly name: string
  readonly version: string
  /** As the package says it, in SPDX's words. */
  readonly licence: string
  /** Every file of it that is a licence or a notice, one after the other. */
  readonly text: string
}

const root = join(import.meta.dirname, '..')
/** No module of theirs is in the build, but a file is: `electron.vite.config.ts` copies it. */
const copied = ['node_modules/@vscode/tree-sitter-wasm']
const words = /^(un)?licen[cs]e|^copying|^notice|^third-?party|^ofl/i

/** electron-builder calls this when all else lies in its place. Throws what a person has to mend. */
export async function addLicences({ appOutDir, packager }: AfterPackContext): Promise<void> {
  const resources = packager.getResourcesDir(appOutDir)
  const all = [...placesIn(join(resources, 'app.asar')), ...bundledPlaces(), ...copied].map(licensedAt)
  const faults = faultsOf(all)
  if (faults.length > 0) throw new Error(`Licences are not in order:\n${faults.join('\n')}`)
  writeFileSync(join(resources, LICENCES_FILE), document(all))
  writeFileSync(join(resources, 'LICENSE.txt'), readFileSync(join(root, 'LICENSE')))
}

/** Folders of packages in an archive, and beside it: `node_modules/x`, `node_modules/x/node_modules/y`. */
export function placesIn(archive: string): string[] {
  const files = listPackage(archive, { isPack: false }).map(file => file.replaceAll('\\', '/').slice(1))
  const places = files.flatMap(
    file => /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\/package[.]json$/.exec(file)?.[1] ?? [],
  )
  return places.sort()
}

/** Folders of the packages that the last build took something from. */
function bundledPlaces(): string[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string }>
  }
  return ['main', 'preload', 'renderer'].flatMap(part => {
    const list = readFileSync(join(root, 'out', part, '.vite/license.json'), 'utf8')
    return (JSON.parse(list) as { name: string; version: string }[]).map(({ name, version }) => {
      const ends = `node_modules/${name}`
      const place = Object.entries(lock.packages).find(
        ([at, locked]) => (at === ends || at.endsWith(`/${ends}`)) && locked.version === version,
      )
      if (!place) throw new Error(`${name} ${version} is in the build and not in package-lock.json. Build again.`)
      return place[0]
    })
  })
}

export function licensedAt(place: string): Licensed {
  const folder = join(root, place)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const name = String(manifest.name)
  const own = textIn(folder)
  const other = standIns[name]
  const text = hasText(own) || other === undefined ? own : 'text' in other ? other.text : textIn(join(root, other.as))
  return { name, version: String(manifest.version), licence: licenceOf(manifest), text }
}

/** Old packages name it in an object, or in a list of them. */
function licenceOf({ license, licenses }: Record<string, unknown>): string {
  const named = [license ?? licenses].flat().map(each => (each as { type?: unknown } | null)?.type ?? each)
  return named.filter(each => typeof each === 'string').join(' OR ')
}

function textIn(folder: string): string {
  if (!existsSync(folder)) return ''
  const files = readdirSync(folder, { withFileTypes: true }).filter(each => each.isFile() && words.test(each.name))
  const texts = files.map(({ name }) => readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
  return texts.join('\n\n')
}

export function faultsOf(all: readonly Licensed[]): string[] {
  return all.flatMap(({ name, version, licence, text }) => [
    ...(isAllowed(licence) ? [] : [`${name} ${version}: "${licence}" is no licence that Belay may be packed with`]),
    ...(hasText(text) ? [] : [`${name} ${version}: it brings no text of its licence (${licence})`]),
  ])
}

/** The same text is said once, for all who use it. */
export function document(all: readonly Licensed[]): string {
  const byText = new Map<string, Set<string>>()
  for (const { name, version, licence, text } of all) {
    const users = byText.get(text) ?? new Set()
    byText.set(text, users.add(`${name} ${version} (${licence})`))
  }
  const parts = [...byText].map(([text, users]) => ({ users: [...users].sort(), text }))
  const sorted = parts.sort((a, b) => ((a.users[0] ?? '') < (b.users[0] ?? '') ? -1 : 1))
  const line = '-'.repeat(80)
  const opening =
    'Belay is made with the work of others. These are their names and their terms.\n' +
    'Electron’s and Chromium’s are in files of their own: LICENSE.electron.txt and LICENSES.chromium.html.'
  return `${[opening, ...sorted.map(({ users, text }) => `${users.join('\n')}\n\n${text}`)].join(`\n\n${line}\n\n`)}\n`
}
