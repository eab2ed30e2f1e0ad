/** `belay completion bash|zsh|fish`: a script for the shell's start-up file, made from the tables that Belay itself reads. */
import { optionWords } from '../heads/headless/options.ts'
import { webWords } from './web-arguments.ts'

/** What may follow each subcommand. */
const words: Readonly<Record<string, readonly string[]>> = {
  run: optionWords('run'),
  stream: optionWords('stream'),
  web: webWords('web'),
  serve: webWords('serve'),
  acp: ['--model'],
  rules: ['--cwd', '--permission-mode', '--tool', '--json'],
  sandbox: ['--cwd'],
  completion: ['bash', 'zsh', 'fish'],
}
const terminal = optionWords('terminal')

/** `names`: of all subcommands. */
export function main(args: readonly string[], names: readonly string[]): number {
  const make = shells[args[0] as keyof typeof shells]
  if (!make || args.length > 1) {
    process.stderr.write('Usage: belay completion bash|zsh|fish\n')
    return 1
  }
  process.stdout.write(make(names))
  return 0
}

const each = (line: (name: string, all: readonly string[]) => string): string =>
  Object.entries(words)
    .map(([name, all]) => line(name, [...all, '--help']))
    .join('\n')

const shells = {
  bash: (names: readonly string[]) => `# belay: add to ~/.bashrc: eval "$(belay completion bash)"
_belay() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
${each((name, all) => `    ${name}) words="${all.join(' ')}" ;;`)}
    *) words="${[...names, ...terminal].join(' ')}" ;;
  esac
  [[ $COMP_CWORD -eq 1 ]] && words="${[...names, ...terminal].join(' ')}"
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${#COMPREPLY[@]} -gt 0 || $word == -* ]] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _belay belay
`,
  zsh: (names: readonly string[]) => `# belay: add to ~/.zshrc: eval "$(belay completion zsh)"
_belay() {
  if (( CURRENT == 2 )); then
    compadd -- ${[...names, ...terminal].join(' ')}
  else
    case \${words[2]} in
${each((name, all) => `      ${name}) compadd -- ${all.join(' ')} ;;`)}
      *) compadd -- ${terminal.join(' ')} ;;
    esac
  fi
  _files
}
compdef _belay belay
`,
  fish: (names: readonly string[]) =>
    [
      '# belay: save as ~/.config/fish/completions/belay.fish',
      `complete -c belay -n __fish_use_subcommand -a '${names.join(' ')}'`,
      ...Object.entries(words).flatMap(([name, all]) =>
        [...all, '--help'].map(word => {
          const how = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
          return `complete -c belay -n '__fish_seen_subcommand_from ${name}' ${how}`
        }),
      ),
      '',
    ].join('\n'),
}
