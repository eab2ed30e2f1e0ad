/** What of our environment a child that is not Belay may see, and the shell a person would get. */

/** What makes a JavaScript process load other code, open a debugger or be another program than it was started as. */
const steering = /^(ELECTRON_|NODE_OPTIONS$|NODE_INSPECT|NODE_REPL_)/

/** For our own children: whoever set the environment of the app does not choose what runs in them. */
export const ownEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !steering.test(name)))

/** Belay's own words, and what would make a child behave as if it were Belay. */
const ours = /^(BELAY_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL_|VSCODE_)/

export const foreignEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]): [string, string][] =>
      value === undefined || ours.test(name) ? [] : [[name, value]],
    ),
  )

/** Whatever a key, a token or a password would be kept in. */
const keyLike =
  /(^|_)(API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|AUTH)($|_)/i

/** For children that never speak for the person: nothing in it that could be a key. */
export const keylessEnvironment = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(foreignEnvironment(env)).filter(([name]) => !keyLike.test(name)))

/** The person's own shell; the platform's usual one where none is named. */
export function personShell(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'powershell.exe'
  return env.SHELL || (platform === 'darwin' ? '/bin/zsh' : '/bin/bash')
}
