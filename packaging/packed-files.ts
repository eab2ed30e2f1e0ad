/** Which files are packed, read from the lock file rather than guessed, and which of those lie beside the archive, because another program opens or starts them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Configuration } from 'electron-builder'

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly optional?: boolean
}

const root = join(import.meta.dirname, '..')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>
}

/** Packages whose programs run as processes of their own, and read their files without Belay. */
const spawned = [
  'bash-language-server',
  'pyright',
  'typescript-7',
  'vscode-langservers-extracted',
  'yaml-language-server',
]

/** Headers for C++, named as if they were needed later. */
const forBuilding = ['node_modules/node-addon-api']

export const spawnedPlaces: readonly string[] = closureOf(spawned)
/** What main, core and pty host need that is not in their bundles. Such as is for other platforms is not installed here. */
export const packedPlaces: readonly string[] = closureOf(Object.keys(packages['']?.dependencies ?? {})).filter(
  place => !forBuilding.includes(place),
)

/** Folders of packages and of everything they need, as Node finds them from each other's place. Throws where one is not installed. */
function closureOf(names: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (name: string, from: string): void => {
    const place = placeOf(name, from)
    if (place === null || found.has(place)) return
    const { dependencies, optionalDependencies, optional } = packages[place] ?? {}
    if (!existsSync(join(root, place))) {
      if (optional) return
      throw new Error(`${place} is not installed. Run npm install again.`)
    }
    found.add(place)
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(needed, place)
  }
  for (const name of names) add(name, '')
  return [...found].sort()
}

/** In the folder `from`, or in the next one outside of it. */
function placeOf(name: string, from: string): string | null {
  const place = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`
  if (packages[place]) return place
  return from === '' ? null : placeOf(name, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))))
}

/** Of no use where Belay runs: sources, tests, what only a build needs, faces for browsers, and second copies of a library. */
const unneeded = [
  '**/*.{map,md,markdown,flow,cmd,pdb,gyp,gypi,mk,tsbuildinfo}',
  '**/*.d.{ts,mts,cts}',
  '**/{.github,.vscode,__tests__,.bin}/**',
  'node-pty/{deps,scripts,src,third_party,typings,node-addon-api}/**',
  'node-pty/lib/*.test.js',
  'node-pty/build/{Makefile,Release/.deps,Release/obj.target}',
  '@parcel/watcher/{src,scripts}/**',
  '@anthropic-ai/sandbox-runtime/vendor/*/build.ts',
  'vscode-langservers-extracted/lib/*/{browser,test}/**',
  'vscode-langservers-extracted/lib/markdown-language-server/**',
  'vscode-langservers-extracted/node_modules/typescript/bin/**',
  'vscode-langservers-extracted/node_modules/typescript/lib/{tsc,tsserver,tsserverlibrary,typescriptServices,typingsInstaller}.js',
  'vscode-langservers-extracted/node_modules/typescript/lib/*/**',
  'vscode-{css,html,json,markdown}-languageservice/lib/esm/**',
  // These servers ask for its single modules.
  'core-js/{actual,es,features,full,proposals,stable,stage,web}/**',
  // One of them formats YAML with it.
  'prettier/plugins/!(estree|yaml).js',
  'prettier/**/*.mjs',
  'prettier/{index.*,doc.*,bin/**,internal/**}',
  '@mixmark-io/domino/{test,.yarn}/**',
  '{fastq,fast-uri}/test/**',
  'json-schema-traverse/spec/**',
  'vscode-nls/lib/node/test/**',
  'yaml-language-server/out/server/test/**',
  'editorconfig/lib/*.test.js',
  'bash-language-server/node_modules/web-tree-sitter/debug/**',
  '{ajv/lib,ajv-draft-04/src,fast-uri/types}/**',
  '**/zod/src/**',
  'node-forge/{dist,flash}/**',
  'bash-language-server/src/**',
  'yaml-language-server/lib/**',
  'typescript-7/{bin,dist,lib,vendor}/**',
]

/** Programs for machines that this one is not: a package holds those of one platform. */
const foreign = [
  `node-pty/prebuilds/!(${process.platform}-${process.arch})/**`,
  `@anthropic-ai/sandbox-runtime/vendor/seccomp/!(${process.platform === 'linux' ? process.arch : ''})/**`,
  ...(process.platform === 'win32' ? [] : ['@anthropic-ai/sandbox-runtime/vendor/srt-win/**']),
]

export const packedFiles: Configuration['files'] = [
  'out/{main,preload,renderer}/**',
  'package.json',
  '!out/**/.vite/**',
  {
    from: 'node_modules',
    to: 'node_modules',
    filter: [
      ...packedPlaces.map(place => `${place.slice('node_modules/'.length)}/**`),
      ...[...unneeded, ...foreign].map(path => `!${path}`),
      // What the shipped TypeScript knows of JavaScript itself.
      '@typescript/typescript-*/lib/lib.*',
    ],
  },
]

export const unpackedFiles: string[] = [
  ...spawnedPlaces.map(place => `${place}/**`),
  // Of packages whose code stays in the archive: what the system loads, and what others start.
  'node_modules/**/*.node',
  'node_modules/node-pty/{build/Release,prebuilds}/**',
  'node_modules/@vscode/ripgrep-*/bin/**',
  'node_modules/@anthropic-ai/sandbox-runtime/vendor/**',
]
