/** `belay web [port] [folder] [--no-open] …`, read strictly: what is not understood is said, not guessed. */
import { BelayError } from '#contract/error'
import { isLoopback } from '../server/site.ts'

export interface WebArguments {
  /** 0: any free one. */
  readonly port: number
  /** As given, unchecked. */
  readonly folder: string | null
  readonly open: boolean
  /** Where it listens. Beyond this machine only with `tls`. */
  readonly host: string
  /** Files, unchecked. */
  readonly tls: { readonly cert: string; readonly key: string } | null
  readonly passwordFile: string | null
}

/** Where it listens when nothing is said. */
export const ONLY_HERE = '127.0.0.1'

export const webHelp = (face: 'web' | 'serve'): string => `Usage: belay ${face} [port] [folder] [options]

  port                     0 or none: any free one
  folder                   what the window opens${face === 'web' ? '\n  --no-open                print the link, open nothing' : ''}
  --host <address>         where it listens; this machine alone when left out, 0.0.0.0: everywhere (needs TLS)
  --tls-cert <file>        the certificate in PEM form; its names are those by which a browser may call
  --tls-key <file>         its key, which no other account may read
  --password-file <file>   lets your other devices in by a password of 12 characters or more

Whoever has a link or the password can do on this machine what you can.
`

const valued = ['--host', '--tls-cert', '--tls-key', '--password-file'] as const
type Valued = (typeof valued)[number]

export const webWords = (face: 'web' | 'serve'): string[] => [...valued, ...(face === 'web' ? ['--no-open'] : [])]

/** Throws `invalid` in words. A number is the port; write a folder of such a name as `./8080`. */
export function parseWebArguments(args: readonly string[], face: 'web' | 'serve' = 'web'): WebArguments {
  const fail = (words: string): never => {
    throw new BelayError('invalid', words)
  }
  const values = new Map<Valued, string>()
  let port: number | null = null
  let folder: string | null = null
  let open = face === 'web'
  let onlyFolders = false
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const [name = '', joined] = argument.split(/=(.*)/s)
    const option = onlyFolders ? undefined : valued.find(each => each === name)
    if (option) {
      const value = joined ?? rest.shift()
      if (!value || value.startsWith('--')) fail(`${option} needs a value.`)
      else values.set(option, value)
    } else if (argument === '--' && !onlyFolders) onlyFolders = true
    else if (argument === '--no-open' && face === 'web' && !onlyFolders) open = false
    else if (argument.startsWith('-') && !onlyFolders) fail(unknown(argument, face))
    else if (/^\d+$/.test(argument) && port === null && !onlyFolders) port = portOf(argument)
    else if (folder === null) folder = argument
    else fail(`belay ${face} opens one folder; “${argument}” is a second one.`)
  }
  const cert = values.get('--tls-cert')
  const key = values.get('--tls-key')
  const host = values.get('--host') ?? ONLY_HERE
  if (!cert !== !key) fail('--tls-cert and --tls-key belong together: the certificate and its key.')
  if (!cert && !isLoopback(host)) fail(needsTls(host, face))
  return {
    ...{ port: port ?? 0, folder, open, host },
    tls: cert && key ? { cert, key } : null,
    passwordFile: values.get('--password-file') ?? null,
  }
}

const unknown = (argument: string, face: 'web' | 'serve') =>
  `belay ${face} does not know ${argument}. “belay ${face} --help” lists what it takes.`

/** Whoever listens on the way could take the window over, and with it this machine. */
const needsTls = (host: string, face: 'web' | 'serve') =>
  `Belay does not listen on ${host} without TLS: others on the network could read and act as you. Give --tls-cert and --tls-key, or leave --host out and come through ssh: ssh -L 4711:127.0.0.1:4711 <this machine>, with belay ${face} 4711 here.`

function portOf(text: string): number {
  const port = Number(text)
  if (port <= 65_535) return port
  throw new BelayError('invalid', `${text} is no port: they end at 65535. 0 takes any free one.`)
}
