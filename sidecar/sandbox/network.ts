/**
 * The only way out of the jail: a proxy of each command's own, over HTTP and SOCKS. Which socket a connection came through
 * says whose it is, so nothing that a command sends can pass for another's. Every connection is asked about anew: a rule
 * that changes while a command runs holds from the next connection on.
 */
import { lookup } from 'node:dns'
import { chmod } from 'node:fs/promises'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from '../base/address.ts'

export interface JailNetwork {
  /** Where the proxy listens: a socket file, or on the platforms whose jail cannot lend one, a port of loopback. */
  readonly at: { readonly socket: string } | { readonly port: number; readonly token: string }
  /** Cuts every connection. Never rejects. */
  close(): Promise<void>
}

/** What this machine is behind itself. What is left out the environment of this process says. */
export interface ParentProxy {
  readonly http?: string | undefined
  readonly https?: string | undefined
  readonly noProxy?: string | undefined
}

export interface NetworkOptions {
  /** Whether this may be reached, asking a person where nothing else decides. Never rejects. */
  reach(host: string, port: number): Promise<boolean>
  onDenied(host: string, port: number): void
  listen: { readonly socket: string } | { readonly token: string }
  parentProxy?: ParentProxy
  /** How a name becomes addresses; a test's own. */
  resolve?: typeof lookup
}

export async function openNetwork(options: NetworkOptions): Promise<JailNetwork> {
  const [{ createHttpProxyServer }, { createSocksProxyServer }, { createMuxProxyServer }, parent, guard] =
    await Promise.all([
      import('@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js'),
      import('@anthropic-ai/sandbox-runtime/dist/sandbox/socks-proxy.js'),
      import('@anthropic-ai/sandbox-runtime/dist/sandbox/mux-proxy.js'),
      import('@anthropic-ai/sandbox-runtime/dist/sandbox/parent-proxy.js'),
      import('@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js'),
    ])
  const filter = async (port: number, asked: string): Promise<boolean> => {
    const host = parent.isValidHost(asked) ? parent.canonicalizeHost(asked) : undefined
    const allowed = host !== undefined && (await options.reach(parent.stripBrackets(host), port))
    if (!allowed) options.onDenied(host ?? asked.slice(0, 255), port)
    return allowed
  }
  const shared = {
    filter,
    lookupFor: (port: number) => guardedLookup(options, port, guard.ResolvedAddressDeniedError),
    parentProxy: parent.resolveParentProxy(options.parentProxy),
    ...('token' in options.listen ? { proxyAuthToken: options.listen.token } : {}),
  }
  const http = createHttpProxyServer(shared)
  const socks = createSocksProxyServer(shared)
  const mux = createMuxProxyServer({
    httpServer: http,
    handleSocksConnection: socket => socks.handleConnection(socket),
  })
  await mux.listenHttpBackend()
  const { listen } = options
  await new Promise<void>((resolve, reject) => {
    mux.server.once('error', reject)
    if ('socket' in listen) mux.server.listen(listen.socket, resolve)
    else mux.server.listen(0, '127.0.0.1', resolve)
  })
  if ('socket' in listen) await chmod(listen.socket, 0o600)
  return {
    at: 'socket' in listen ? listen : { port: mux.getPort() ?? 0, token: listen.token },
    async close() {
      await socks.close()
      http.closeAllConnections()
      await mux.close().catch(() => {})
    },
  }
}

/**
 * A name that leads to this machine or a private network is refused, unless the very address may be reached: whoever owns a
 * name decides where it leads. The address that was looked at is the one that is dialled.
 */
function guardedLookup(
  { reach, onDenied, resolve = lookup }: NetworkOptions,
  port: number,
  Denied: new (hostname: string, reason: string, addresses: readonly string[]) => Error,
): LookupFunction {
  const passes = async (hostname: string, address: string): Promise<boolean> => {
    if (isIP(hostname) !== 0 || isPublicAddress(address) || isLoopbackName(hostname, address)) return true
    if (await reach(address, port)) return true
    onDenied(address, port)
    return false
  }
  return (hostname, lookupOptions, done) => {
    resolve(hostname, { ...lookupOptions, all: true }, async (fault, addresses) => {
      if (fault) return done(fault, '', 0)
      const allowed: typeof addresses = []
      for (const each of addresses) if (await passes(hostname, each.address)) allowed.push(each)
      const [first] = allowed
      if (!first)
        done(
          new Denied(
            hostname,
            'leads to a private address',
            addresses.map(each => each.address),
          ),
          '',
          0,
        )
      else if (lookupOptions.all) done(null, allowed)
      else done(null, first.address, first.family)
    })
  }
}

/** Who may reach `localhost` may reach what that name stands for. */
const isLoopbackName = (hostname: string, address: string): boolean =>
  /^(?:.+\.)?localhost$/.test(hostname) && isLoopbackAddress(address)
