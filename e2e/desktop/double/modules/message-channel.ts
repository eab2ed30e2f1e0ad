/** `MessageChannelMain`: two ports, either of which may be moved into a page or a utility process. */
import { EventEmitter } from 'node:events'
import { ChannelEnd } from '../process/channel.ts'
import { type EventsOf, part } from '../typed.ts'
import { cloned } from '../wire.ts'

type Port = Electron.MessagePortMain
type Posted = Parameters<Port['postMessage']>

export class MessagePortMain
  extends EventEmitter<EventsOf<Port>>
  implements Pick<Port, 'close' | 'postMessage' | 'start'>
{
  /** Null once it has been moved: another object, or another process, has it. */
  #end: ChannelEnd | null
  #started = false

  constructor(end: ChannelEnd) {
    super()
    this.#end = end
  }

  postMessage(message: Posted[0], transfer: Posted[1] = []): void {
    const ports = takeEnds(transfer, this)
    this.#end?.post({ data: cloned(message), ports })
  }

  start(): void {
    if (this.#started || !this.#end) return
    this.#started = true
    this.#end.listen({
      message: ({ data, ports }) =>
        this.emit('message', part<Electron.MessageEvent>({ data, ports: ports.map(end => handOut(end)) })),
      closed: () => this.emit('close'),
    })
  }

  close(): void {
    this.#end?.close()
    this.#end = null
  }

  /** @internal */
  static take(port: MessagePortMain): ChannelEnd | null {
    const end = port.#end
    port.#end = null
    end?.unlisten()
    return end
  }
  /** @internal */
  static isMoved(port: MessagePortMain): boolean {
    return port.#end === null
  }
}

/** The ends of ports that move; their objects are of no use from then on. @throws Error with Electron's words. */
export function takeEnds(ports: readonly unknown[], source: unknown = null): ChannelEnd[] {
  if (!Array.isArray(ports)) throw new TypeError('Transferables must be an array of MessagePorts')
  const seen = new Set<unknown>()
  for (const [at, port] of ports.entries()) {
    if (!(port instanceof MessagePortMain)) throw new TypeError('Invalid value for transfer')
    if (port === source) throw new Error(`Port at index ${at} contains the source port`)
    if (MessagePortMain.isMoved(port)) throw new Error(`Port at index ${at} is already neutered`)
    if (seen.has(port)) throw new Error(`Port at index ${at} is a duplicate`)
    seen.add(port)
  }
  return ports.flatMap(port => MessagePortMain.take(port) ?? [])
}

export const handOut = (end: ChannelEnd): Port => new MessagePortMain(end) as unknown as Port

export class MessageChannelMain implements Pick<Electron.MessageChannelMain, 'port1' | 'port2'> {
  readonly port1: Port
  readonly port2: Port
  constructor() {
    const [one, other] = ChannelEnd.pair()
    this.port1 = handOut(one)
    this.port2 = handOut(other)
  }
}
