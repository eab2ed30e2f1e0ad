/** `belay web [port] [folder] [--no-open]`, read strictly: what is not understood is said, not guessed. */
import { BelayError } from '#contract/error'

export interface WebArguments {
  /** 0: any free one. */
  readonly port: number
  /** As given, unchecked. */
  readonly folder: string | null
  readonly open: boolean
}

/** Throws `invalid` in words. A number is the port; write a folder of such a name as `./8080`. */
export function parseWebArguments(args: readonly string[], face: 'web' | 'serve' = 'web'): WebArguments {
  const parsed = { port: null as number | null, folder: null as string | null, open: face === 'web' }
  let onlyFolders = false
  for (const argument of args) {
    if (argument === '--' && !onlyFolders) onlyFolders = true
    else if (argument === '--no-open' && face === 'web' && !onlyFolders) parsed.open = false
    else if (argument.startsWith('-') && !onlyFolders) {
      throw new BelayError(
        'invalid',
        `belay ${face} does not know ${argument}. It takes: [port] [folder]${face === 'web' ? ' [--no-open]' : ''}`,
      )
    } else if (/^\d+$/.test(argument) && parsed.port === null && !onlyFolders) parsed.port = portOf(argument)
    else if (parsed.folder === null) parsed.folder = argument
    else throw new BelayError('invalid', `belay ${face} opens one folder; “${argument}” is a second one.`)
  }
  return { ...parsed, port: parsed.port ?? 0 }
}

function portOf(text: string): number {
  const port = Number(text)
  if (port <= 65_535) return port
  throw new BelayError('invalid', `${text} is no port: they end at 65535. 0 takes any free one.`)
}
