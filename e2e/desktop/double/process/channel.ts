/** The two ends of a message channel in this process. What arrives waits until somebody listens, and comes in a later tick. */

export interface Carried {
  readonly data: unknown
  readonly ports: readonly ChannelEnd[]
}

export class ChannelEnd {
  #peer: ChannelEnd | null = null
  #queue: (Carried | 'close')[] = []
  #listener: { message(carried: Carried): void; closed(): void } | null = null
  #flushing = false

  static pair(): [ChannelEnd, ChannelEnd] {
    const [one, other] = [new ChannelEnd(), new ChannelEnd()]
    one.#peer = other
    other.#peer = one
    return [one, other]
  }

  post(carried: Carried): void {
    const peer = this.#peer
    if (peer) peer.#arrive(carried)
  }
  close(): void {
    const peer = this.#peer
    this.#peer = null
    this.#listener = null
    if (!peer) return
    peer.#peer = null
    peer.#arrive('close')
  }
  listen(listener: { message(carried: Carried): void; closed(): void }): void {
    this.#listener = listener
    this.#flushSoon()
  }
  /** What arrives waits again, for the next one who listens. */
  unlisten(): void {
    this.#listener = null
  }

  #arrive(what: Carried | 'close'): void {
    this.#queue.push(what)
    this.#flushSoon()
  }
  #flushSoon(): void {
    if (this.#flushing || this.#queue.length === 0 || !this.#listener) return
    this.#flushing = true
    setImmediate(() => {
      this.#flushing = false
      const now = this.#queue.splice(0)
      for (const [at, what] of now.entries()) {
        if (!this.#listener) {
          this.#queue.unshift(...now.slice(at))
          return
        }
        if (what === 'close') this.#listener.closed()
        else this.#listener.message(what)
      }
    })
  }
}
