/** `belay completion bash|zsh|fish`: a script for the shell's start-up file, made from the tables that Belay itself reads. */
import { optionWords } from '../heads/headless/options.ts'

const faces = { '': optionWords('terminal'), run: optionWords('run'), stream: optionWords('stream') }

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

const shells = {
  bash: (names: readonly string[]) => `# belay: add to ~/.bashrc: eval "$(belay completion bash)"
_belay() {
  local word=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
    run) words="${faces.run.join(' ')}" ;;
    stream) words="${faces.stream.join(' ')}" ;;
    *) words="${[...names, ...faces['']].join(' ')}" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
  [[ \${#COMPREPLY[@]} -gt 0 || $word == -* ]] || COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _belay belay
`,
  zsh: (names: readonly string[]) => `# belay: add to ~/.zshrc: eval "$(belay completion zsh)"
_belay() {
  case \${words[2]} in
    run) compadd -- ${faces.run.join(' ')} ;;
    stream) compadd -- ${faces.stream.join(' ')} ;;
    *) compadd -- ${[...names, ...faces['']].join(' ')} ;;
  esac
  _files
}
compdef _belay belay
`,
  fish: (names: readonly string[]) =>
    [
      '# belay: save as ~/.config/fish/completions/belay.fish',
      `complete -c belay -n __fish_use_subcommand -a '${names.join(' ')}'`,
      ...faces.run.map(flag => `complete -c belay -n '__fish_seen_subcommand_from run' -l ${flag.slice(2)}`),
      ...faces.stream.map(flag => `complete -c belay -n '__fish_seen_subcommand_from stream' -l ${flag.slice(2)}`),
      '',
    ].join('\n'),
}
