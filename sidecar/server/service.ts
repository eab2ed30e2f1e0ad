/** What a process offers over a contract, and how it sees the clients that use it. */
import type { Contract, Handlers } from '#contract/define'

/** One connected client. The same `clientId` may come back after a reconnect, never twice at once. */
export interface ClientSink {
  readonly clientId: string
  /** What it says it is: "window", "run". For people. */
  readonly name: string
  /** Order is kept. Pieces of live events may be joined; see outbox.ts. Does nothing once the client has gone. */
  emit(name: string, payload: unknown): void
  sendBytes(bytes: Uint8Array): void
  /** Bytes that the client has not made room for yet. */
  readonly backlogBytes: number
}

export interface Service<C extends Contract> {
  readonly contract: C
  /** `link` is answered by `serve`. */
  readonly handlers: Omit<Handlers<C>, 'link'>
  /** Called after the hello, before the client's first request. Returns what is called once when the client has gone. */
  attach(client: ClientSink): () => void
}
