#!/usr/bin/env node
/** The command `belay`: one table picks the subcommand and is the help text. Each subcommand is loaded only when asked for. */
import { keepCompiled } from '../base/compile-cache.ts'
import { foldersOf } from '../base/folders.ts'
import { forgetNodeProgram } from '../base/node-program.ts'
import { refuseNewerProfile } from '../base/profile.ts'
import { version } from './version.ts'

interface Subcommand {
  readonly usage: string
  readonly summary: string
  /** The rest of its help, where it does not print its own. */
  readonly more?: readonly string[]
  /** Returns the exit code. */
  readonly run: (args: string[]) => Promise<number> | number
}

const table: Readonly<Record<string, Subcommand>> = {
  open: {
    usage: 'open [folder]',
    summary: 'Open a folder in the desktop window.',
    run: async args => (await import('./open.ts')).main(args),
  },
  web: {
    usage: 'web [port] [folder] [--help]',
    summary: 'Open Belay in a browser window; port 0 or none: any free port.',
    run: async args => (await ready(() => import('./web.ts'))).main(args),
  },
  serve: {
    usage: 'serve [port] [folder] [--help]',
    summary: 'The same without opening it, and POST /run for programs.',
    run: async args => (await ready(() => import('./web.ts'))).main(args, 'serve'),
  },
  run: {
    usage: 'run "prompt" [--model provider/model] [--help]',
    summary: 'One turn of the agent in this folder, the answer on stdout.',
    run: async args => (await ready(() => import('./run.ts'))).main(args),
  },
  stream: {
    usage: 'stream [options] [--help]',
    summary: 'A conversation with a program: one JSON object a line on stdin and stdout.',
    run: async args => (await ready(() => import('./stream.ts'))).main(args),
  },
  acp: {
    usage: 'acp [--model provider/model]',
    summary: 'An agent for editors that speak the Agent Client Protocol, on stdin and stdout.',
    run: async args => (await ready(() => import('./acp.ts'))).main(args),
  },
  rules: {
    usage: 'rules ["command"] [--help]',
    summary: 'The rules that hold here; with a command: whether it would run, ask or be denied, and why.',
    run: async args => (await ready(() => import('./rules.ts'))).main(args),
  },
  doctor: {
    usage: 'doctor',
    summary: 'Look whether everything Belay needs is here, and say what to do about the rest.',
    more: [
      'Looks at git, the jail for commands, language servers, and the models that you agreed to.',
      'Exit: 0 Belay can work here, 1 something that it needs is missing.',
    ],
    run: async args => (await ready(() => import('./doctor.ts'))).main(args),
  },
  sandbox: {
    usage: 'sandbox [--cwd folder]',
    summary: 'Print what commands of the agent may do in a folder, and whether the jail holds.',
    more: [
      '  --cwd <folder>  which folder; the one that you are in when left out',
      'Exit: 0 the jail holds, 1 it does not, 2 a word that is not understood.',
    ],
    run: async args => (await ready(() => import('./sandbox.ts'))).main(args),
  },
  completion: {
    usage: 'completion bash|zsh|fish',
    summary: 'Print a script that completes these words in your shell.',
    more: [
      '  bash: eval "$(belay completion bash)" in ~/.bashrc',
      '  zsh:  eval "$(belay completion zsh)" in ~/.zshrc, after compinit',
      '  fish: belay completion fish > ~/.config/fish/completions/belay.fish',
    ],
    run: async args => (await import('./completion.ts')).main(args, Object.keys(table)),
  },
  version: {
    usage: 'version',
    summary: 'Print the version, and of which sources it is.',
    more: [],
    run: async () => {
      const { buildStamp, versionWords } = await import('../supervise/build-stamp.ts')
      return say(versionWords(version, buildStamp(import.meta.dirname)))
    },
  },
  help: { usage: 'help', summary: 'Print this.', more: [], run: () => say(help()) },
}
const aliases: Readonly<Record<string, string>> = {
  '--version': 'version',
  '-v': 'version',
  '--help': 'help',
  '-h': 'help',
}

/** For what works in a profile. Only what has much to load is worth the look into the cache, which is a part of it. */
function ready<T>(load: () => Promise<T>): Promise<T> {
  refuseNewerProfile(foldersOf(), version)
  keepCompiled()
  return load()
}

function help(): string {
  const width = Math.max(...Object.values(table).map(each => each.usage.length))
  const own = `  belay ${'["prompt"] [options]'.padEnd(width)}  The agent in this terminal.`
  const lines = [own, ...Object.values(table).map(each => `  belay ${each.usage.padEnd(width)}  ${each.summary}`)]
  return ['Belay: an IDE in which a coding agent works on a rope.', '', ...lines].join('\n')
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

async function main([name, ...args]: string[]): Promise<number> {
  // Options without a subcommand are those of the terminal; so is what no subcommand could be called.
  if (name === undefined || /\s/.test(name) || (name.startsWith('-') && !Object.hasOwn(aliases, name)))
    return (await ready(() => import('./interactive.ts'))).main(name === undefined ? [] : [name, ...args])
  const chosen = aliases[name] ?? name
  const found = Object.hasOwn(table, chosen) ? table[chosen] : undefined
  if (found?.more && args.some(each => each === '--help' || each === '-h'))
    return say([`Usage: belay ${found.usage}`, '', found.summary, ...found.more].join('\n'))
  if (found) return found.run(args)
  const { nearest } = await import('../base/nearest.ts')
  const meant = nearest(name, Object.keys(table))
  process.stderr.write(
    `belay has no subcommand “${name}”.${meant ? ` Did you mean “belay ${meant}”?` : ''} See “belay help”.\n`,
  )
  return 1
}

forgetNodeProgram()
const code = await main(process.argv.slice(2)).catch((fault: unknown) => {
  process.stderr.write(`belay: ${fault instanceof Error ? fault.message : String(fault)}\n`)
  return 1
})
process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
