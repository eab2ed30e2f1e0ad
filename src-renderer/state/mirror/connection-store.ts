/** How this window is connected. Written by client only. */
import { create } from 'zustand'
import type { ErrorCode } from '#contract/error'
import type { ChildState } from '#contract/host'

export type ConnectionState = 'connecting' | 'ready' | 'lost'

export interface Connection {
  readonly sidecar: ConnectionState
  readonly pty: ConnectionState
  readonly host: ConnectionState
  /** Of the sidecar: another one means that it was restarted. */
  readonly epoch: string | null
  /** Of Belay, as its core says it. */
  readonly version: string | null
  /** Why the sidecar is lost. `auth`: this window needs a fresh link; `protocol`: it needs a reload. */
  readonly fault: { readonly code: ErrorCode; readonly message: string } | null
  /** What the supervisor says of its children, while it can be asked. */
  readonly children: readonly ChildState[]
}

export const connectionStore = create<Connection>(() => ({
  sidecar: 'connecting',
  pty: 'connecting',
  host: 'connecting',
  epoch: null,
  version: null,
  fault: null,
  children: [],
}))
