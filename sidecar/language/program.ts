/** Finds the program of a server without running anything: in Belay's own packages, or on the person's PATH. */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { nodeProgram, outsideArchive } from '../base/node-program.ts'
import { findOnPath } from '../base/on-path.ts'
import type { ServerDefinition } from './definition.ts'
import { findJdk } from './jdk.ts'

export interface FoundProgram {
  readonly command: readonly [string, ...string[]]
  /** Of its own, beside the environment every server gets. */
  readonly env: Readonly<Record<string, string>>
  /** Of the package that ships it; null where only the server itself will say. */
  readonly version: string | null
}

/** `missing`: words for a person, what to do included. */
export type Search = FoundProgram | { readonly missing: string }

const require = createRequire(import.meta.url)

export function findProgram(definition: ServerDefinition, env: NodeJS.ProcessEnv): Search {
  const missing = { missing: `${definition.name} was not found: ${definition.install}` }
  const { program } = definition
  if (program.kind === 'package') {
    const at = packageAt(program.package)
    if (!at || !existsSync(join(at.folder, program.file))) return missing
    const { command, env } = nodeProgram()
    return { command: [command, join(at.folder, program.file), ...program.args], env, version: at.version }
  }
  if (program.kind === 'typescript') {
    const at = typescriptAt()
    return at ? { command: [at.file, '--lsp', '--stdio'], env: {}, version: at.version } : missing
  }
  const commands = program.kind === 'path' ? program.commands : [program.command]
  const found = commands.flatMap(([name = '', ...args]) => {
    const file = findOnPath([name], env)
    return file ? [{ file, args }] : []
  })
  const [first] = found
  if (!first) return missing
  const { file, args } = first
  const { needs } = definition
  if (needs && !findOnPath([needs.program], env))
    return { missing: `${definition.name} needs ${needs.program}, which was not found: ${needs.install}` }
  if (definition.jdk === undefined) return { command: [file, ...args], env: {}, version: null }
  const jdk = findJdk(definition.jdk, env)
  if (!jdk)
    return {
      missing: `${definition.name} needs a JDK of ${definition.jdk} or later: install one, or set JAVA_HOME to it`,
    }
  return { command: [file, ...args], env: { JAVA_HOME: jdk }, version: null }
}

function packageAt(name: string, from: NodeJS.Require = require): { folder: string; version: string | null } | null {
  try {
    const file = from.resolve(`${name}/package.json`)
    const { version } = from(file) as { version?: unknown }
    return { folder: outsideArchive(dirname(file)), version: typeof version === 'string' ? version : null }
  } catch {
    return null
  }
}

/** Beside its JavaScript package, which only looks for it. */
function typescriptAt(): { file: string; version: string | null } | null {
  const outer = packageAt('typescript-7')
  if (!outer) return null
  const beside = createRequire(join(outer.folder, 'package.json'))
  const inner = packageAt(`@typescript/typescript-${process.platform}-${process.arch}`, beside)
  const file = inner && join(inner.folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
  return file && existsSync(file) ? { file, version: outer.version } : null
}
