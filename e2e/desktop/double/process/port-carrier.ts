/** Ports that live in another process: what is said on them goes over that process's one line, under a number each. */
import { ChannelEnd } from './channel.ts'

export type PortMessage =
  | { readonly kind: 'port'; readonly port: number; readonly data: unknown }
  | { readonly kind: 'port-closed'; readonly port: number }

export interface PortCarrier {
  /** The ends are over there from now on, under these numbers. */
  moveOut(ends: readonly ChannelEnd[]): number[]
  /** What has just come over here under this number. */
  moveIn(port: number): ChannelEnd
  heard(message: PortMessage): void
  /** The other process, or the page, is gone. */
  lost(): void
}

export function createPortCarrier(send: (message: PortMessage) => void): PortCarrier {
  const ends = new Map<number, ChannelEnd>()
  let last = 0
  const carry = (port: number, end: ChannelEnd) => {
    ends.set(port, end)
    end.listen({
      message: ({ data, ports }) => {
        if (ports.length > 0) throw new Error('electron double: a port that is in another process carries no ports')
        send({ kind: 'port', port, data })
      },
      closed: () => {
        ends.delete(port)
        send({ kind: 'port-closed', port })
      },
    })
  }
  return {
    moveOut: moved =>
      moved.map(end => {
        carry(++last, end)
        return last
      }),
    moveIn(port) {
      const [here, inside] = ChannelEnd.pair()
      carry(port, inside)
      return here
    },
    heard(message) {
      const end = ends.get(message.port)
      if (message.kind === 'port') return end?.post({ data: message.data, ports: [] })
      ends.delete(message.port)
      end?.close()
    },
    lost() {
      for (const end of ends.values()) end.close()
      ends.clear()
    },
  }
}
