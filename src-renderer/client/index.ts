/**
 * The window's way to the core, for the whole life of the page: `belay` (sidecar), `pty` (terminals), `host` (the machine
 * around the window). They survive every reconnect. `follow` is how anything with a snapshot and events is kept.
 */
import type { Client } from '#contract/client'
import type { Contract } from '#contract/define'
import { unpackTerminalBytes } from '#contract/frame'
import {
  type BelayContract,
  contract,
  type HostContract,
  hostContract,
  type PtyContract,
  ptyContract,
} from '#contract/index'
import { connectionStore } from '../state/mirror/connection-store.ts'
import { type Channel, createChannel } from './channel.ts'
import { socketUrl } from './early-socket.ts'
import { createFollow, type Follow } from './follow.ts'
import { createPortWire } from './port-wire.ts'
import { createSocketWire } from './socket-wire.ts'
import { installTrustedTypes } from './trusted-types.ts'
import type { Wire } from './wire.ts'

export { useConnection } from '../state/mirror/connection.ts'
export type { Follow, Following, FollowOptions, Taken } from './follow.ts'

/** This page, until it is reloaded. */
export const clientId = `win_${crypto.randomUUID()}`

const wire: Wire = { open: channel => wireOfThisWindow().open(channel) }
let chosen: Wire | null = null
const wireOfThisWindow = () => {
  chosen ??= window.belay ? createPortWire(window.belay, window) : socketWire()
  return chosen
}

let keptOpen: string | null = null
/** The folder that every new connection opens before anything else is asked there: a core started anew knows none. */
export function keepOpen(folder: string | null): void {
  keptOpen = folder
}

const channelFor = <C extends Contract>(of: C, channel: 'sidecar' | 'pty' | 'host') =>
  createChannel({ contract: of, channel, wire, clientId })
const sidecarChannel = createChannel({
  contract,
  channel: 'sidecar',
  wire,
  clientId,
  prepare: async client => keptOpen !== null && client.workspace.open({ folder: keptOpen }),
})
const ptyChannel = channelFor(ptyContract, 'pty')
const hostChannel = channelFor(hostContract, 'host')

/** Calls made while disconnected wait at most 10 s, then reject with `disconnected`. Every rejection is a BelayError. */
export const belay: Client<BelayContract> = sidecarChannel.client
export const host: Client<HostContract> = hostChannel.client

export type TerminalBytesListener = (offset: number, bytes: Uint8Array) => void
const terminals = new Map<number, Set<TerminalBytesListener>>()
/**
 * `onBytes` hears the output of the terminal with that number; `offset` is that of the first byte. Returns what ends it.
 * Bytes may be heard a moment before the answer that announces them (`attach`): place them by offset.
 */
export const pty: Client<PtyContract> & { onBytes(number: number, listener: TerminalBytesListener): () => void } =
  Object.assign(ptyChannel.client, {
    onBytes(number: number, listener: TerminalBytesListener) {
      const known = terminals.get(number) ?? new Set()
      terminals.set(number, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0 && terminals.get(number) === known) terminals.delete(number)
      }
    },
  })
ptyChannel.onBytes(packed => {
  const { number, offset, bytes } = unpackTerminalBytes(packed)
  for (const listener of [...(terminals.get(number) ?? [])]) listener(offset, bytes)
})

export const follow: Follow<BelayContract> = createFollow(sidecarChannel)
export const followPty: Follow<PtyContract> = createFollow(ptyChannel)
export const followHost: Follow<HostContract> = createFollow(hostChannel)

/** Begins to connect. Called once, by main.tsx; until then calls wait. */
export function connectClient(): void {
  installTrustedTypes()
  const channels = { sidecar: sidecarChannel, pty: ptyChannel, host: hostChannel }
  for (const [name, channel] of Object.entries(channels)) {
    mirrorStatus(name as keyof typeof channels, channel)
    channel.start()
  }
  followHost({
    open: () => host.host.children({}),
    onSnapshot: ({ children }) => connectionStore.setState({ children }),
    events: {
      'host/childChanged': changed => {
        const others = connectionStore.getState().children.filter(each => each.child !== changed.child)
        connectionStore.setState({ children: [...others, changed] })
      },
    },
  })
  const retryNow = () => {
    for (const channel of Object.values(channels)) channel.retryNow()
  }
  window.addEventListener('online', retryNow)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') retryNow()
  })
}

function mirrorStatus(name: 'sidecar' | 'pty' | 'host', channel: Pick<Channel<Contract>, 'onStatus'>): void {
  channel.onStatus(({ state, epoch, version, fault }) => {
    connectionStore.setState(name === 'sidecar' ? { sidecar: state, epoch, version, fault } : { [name]: state })
  })
}

function socketWire(): Wire {
  const isRefused = async () => (await fetch('/', { method: 'HEAD', cache: 'no-store' })).status === 401
  return createSocketWire(socketUrl(), isRefused)
}
