/** What a terminal's shell inherits: the person's environment without Belay's own wiring, and the words that say what we can show. */

/** Of our launchers (Electron, Node's IPC, npm) and of other terminals around us: wrong or dangerous inside a terminal. */
const foreign =
  /^(BELAY_|ELECTRON_|NODE_CHANNEL_|NODE_UNIQUE_ID$|npm_|INIT_CWD$|TMUX|STY$|WINDOWID$|TERMCAP$|COLUMNS$|LINES$|TERM_SESSION_ID$|VTE_VERSION$|WT_SESSION$)/

/** `version` names us to programs that ask who the terminal is. */
export function terminalEnvironment(
  given: Readonly<Record<string, string>>,
  options: { version: string; platform?: NodeJS.Platform },
): Record<string, string> {
  const platform = options.platform ?? process.platform
  const kept = Object.entries(given).filter(([name, value]) => !foreign.test(name) && !`${name}${value}`.includes('\0'))
  const env: Record<string, string> = Object.fromEntries(kept)
  if (platform !== 'win32' && !env.LANG && !env.LC_ALL && !env.LC_CTYPE) {
    // Without one, shells take the terminal for ASCII and mangle every other letter.
    env.LANG = platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'
  }
  return {
    ...env,
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
    TERM_PROGRAM: 'belay',
    TERM_PROGRAM_VERSION: options.version,
  }
}
