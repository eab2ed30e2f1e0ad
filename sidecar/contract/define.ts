/** How a contract entry is written down. Nothing here knows a domain or a transport. */
import type { z } from 'zod'

export interface RequestDef<P extends z.ZodType = z.ZodType, R extends z.ZodType = z.ZodType> {
  readonly kind: 'request'
  readonly params: P
  readonly result: R
}
export interface EventDef<P extends z.ZodType = z.ZodType> {
  readonly kind: 'event'
  readonly payload: P
}
export type Domain = Readonly<Record<string, RequestDef | EventDef>>
export type Contract = Readonly<Record<string, Domain>>

export const request = <P extends z.ZodType, R extends z.ZodType>(params: P, result: R): RequestDef<P, R> => ({
  kind: 'request',
  params,
  result,
})
export const event = <P extends z.ZodType>(payload: P): EventDef<P> => ({ kind: 'event', payload })

type RequestsOf<D extends Domain> = { [M in keyof D as D[M] extends RequestDef ? M : never]: D[M] }

/** The caller's end: every request as a typed function. A rejected call carries a `BelayError` code. */
export type Calls<C extends Contract> = {
  readonly [D in keyof C]: {
    readonly [M in keyof RequestsOf<C[D]>]: C[D][M] extends RequestDef<infer P, infer R>
      ? (params: z.input<P>, options?: { signal?: AbortSignal }) => Promise<z.output<R>>
      : never
  }
}

/** Who is asking. `signal` aborts when the caller cancels or its connection ends. */
export interface CallContext {
  readonly clientId: string
  readonly signal: AbortSignal
}

/** The callee's end: the same names; parsed params in, result out. */
export type Handlers<C extends Contract> = {
  readonly [D in keyof C]: {
    readonly [M in keyof RequestsOf<C[D]>]: C[D][M] extends RequestDef<infer P, infer R>
      ? (params: z.output<P>, context: CallContext) => Promise<z.input<R>> | z.input<R>
      : never
  }
}

/** `domain/method` of every event in a contract. */
export type EventName<C extends Contract> = {
  [D in keyof C & string]: { [M in keyof C[D] & string]: C[D][M] extends EventDef ? `${D}/${M}` : never }[keyof C[D] &
    string]
}[keyof C & string]
export type Payload<C extends Contract, N extends string> = N extends `${infer D}/${infer M}`
  ? C[D][M] extends EventDef<infer P>
    ? z.output<P>
    : never
  : never
