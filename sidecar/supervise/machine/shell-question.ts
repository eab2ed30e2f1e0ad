/** How each kind of shell is asked for its environment: as a login shell that has read its files, in its own way of quoting. */
import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { shellQuoted } from '../../base/node-program.ts'

export type Environment = Record<string, string>

export interface ShellQuestion {
  /** Stands before and after the answer, and nowhere in the question: a shell that echoes it confuses nobody. */
  readonly mark: string
  readonly args: string[]
}

/** `program` runs as Node and prints what it was given. */
export function questionFor(shell: string, program: string): ShellQuestion {
  const [first, second] = [randomBytes(6).toString('hex'), randomBytes(6).toString('hex')]
  const script = `const m=["${first}","${second}"].join("");process.stdout.write(m+JSON.stringify(process.env)+m)`
  return { mark: first + second, args: argumentsFor(kindOf(shell), program, script) }
}

/** `script` holds no single quote, `$`, `!` or backslash: within single quotes every one of these shells takes it as it is. */
function argumentsFor(kind: string, program: string, script: string): string[] {
  if (/^(pwsh|powershell)/.test(kind))
    return ['-Login', '-Command', `& '${program.replaceAll("'", "''")}' -e '${script.replaceAll('"', '\\"')}'`]
  // A quoted word is a text there until it is said to be a program.
  if (kind === 'nu') return ['-i', '-l', '-c', `^'${program}' -e '${script}'`]
  if (kind === 'xonsh') return ['-i', '-l', '-c', `@(['${program}', '-e', '${script}'])`]
  const quoted = kind === 'fish' ? `'${program.replaceAll("'", "\\'")}'` : shellQuoted(program)
  const command = `${quoted} -e '${script}'`
  // They take `-l` alone or not at all.
  if (kind === 'csh' || kind === 'tcsh') return ['-ic', command]
  return ['-i', '-l', '-c', command]
}

const kindOf = (shell: string): string =>
  basename(shell)
    .toLowerCase()
    .replace(/\.exe$/, '')
