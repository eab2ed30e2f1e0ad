/** What a played model says, whichever protocol it is told in: one script, five dialects. For tests and journeys. */

export interface PlayedCall {
  readonly call: string
  /** Null: the provider gives none. */
  readonly id?: string | null
  readonly arguments: object | string
  /** The arguments' text as it comes; without it in one piece. */
  readonly pieces?: readonly string[]
}

/** In order. Texts in several pieces are as many deltas. */
export type Said =
  | { readonly thinking: string | readonly string[]; readonly signature?: string }
  | { readonly redacted: string }
  | {
      readonly text: string | readonly string[]
      readonly citations?: readonly { readonly url: string; readonly title: string; readonly quote: string }[]
    }
  | PlayedCall
  /** Their pieces come in turn. */
  | { readonly parallel: readonly PlayedCall[] }
  | { readonly search: string; readonly results: readonly { readonly url: string; readonly title: string }[] }
  | { readonly refusal: string }
  /** The category that a filter gives. */
  | { readonly filter: string }
  | { readonly error: string; readonly message: string }
  /** A frame that no dialect knows, or no JSON at all. */
  | { readonly raw: unknown }
  | { readonly ping: true }

export interface PlayedUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly reasoning?: number
}

export interface PlayedAnswer {
  readonly said?: readonly Said[]
  /** Without it `tool` where there was a call, else `stop`. */
  readonly finish?: 'stop' | 'tool' | 'length'
  /** Null: none is told. */
  readonly usage?: PlayedUsage | null
  readonly sending?: Sending
  /** Instead of all that: plain HTTP. */
  readonly http?: {
    readonly status: number
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
  }
}

/** How the bytes travel. */
export interface Sending {
  readonly lineEnd?: '\n' | '\r\n' | '\r'
  readonly byteOrderMark?: boolean
  /** A comment before every event. */
  readonly comments?: boolean
  /** Bytes in a piece, in turn; without it all at once. */
  readonly pieces?: readonly number[]
  readonly delayMs?: number
  /** Each frame so often. */
  readonly times?: number
  /** Only so many frames, then the line is closed. */
  readonly cutAfter?: number
  /** One JSON document, as of a server that does not stream. */
  readonly whole?: boolean
  /** Never goes on: before the headers, after them, after half of the frames, after all. */
  readonly hang?: 'headers' | 'first' | 'middle' | 'last'
}

/** `comment`: a line that says nothing. */
export interface WireFrame {
  readonly event?: string
  readonly data: unknown
}

export interface Speaker {
  frames(answer: PlayedAnswer, model: string): WireFrame[]
  /** The same as one document. */
  whole(answer: PlayedAnswer, model: string): unknown
  /** An error as the body of an HTTP answer. */
  error(status: number, kind: string, message: string): unknown
  readonly contentType: string
  readonly framing: 'sse' | 'lines'
}

export const piecesOf = (text: string | readonly string[]): readonly string[] =>
  typeof text === 'string' ? [text] : text
export const argumentsOf = ({ arguments: given }: PlayedCall): string =>
  typeof given === 'string' ? given : JSON.stringify(given)
export const argumentPieces = (call: PlayedCall): readonly string[] => call.pieces ?? [argumentsOf(call)]
/** What a provider would have made of it. */
export const idOf = (call: PlayedCall, prefix: string, at: number): string | null =>
  call.id === undefined ? `${prefix}${at}` : call.id
export const callsOf = (said: Said): readonly PlayedCall[] | null =>
  'parallel' in said ? said.parallel : 'call' in said ? [said] : null
/** The pieces of several texts, one of each in turn, with whose they are. */
export function inTurn(calls: readonly PlayedCall[]): { at: number; piece: string }[] {
  const longest = Math.max(...calls.map(call => argumentPieces(call).length))
  return Array.from({ length: longest }, (_, round) =>
    calls.flatMap((call, at) => {
      const piece = argumentPieces(call)[round]
      return piece === undefined ? [] : [{ at, piece }]
    }),
  ).flat()
}
export const finishOf = ({ said = [], finish }: PlayedAnswer): 'stop' | 'tool' | 'length' =>
  finish ?? (said.some(each => callsOf(each)) ? 'tool' : 'stop')
export const usageOf = ({ usage }: PlayedAnswer): PlayedUsage | null =>
  usage === undefined ? { input: 100, output: 20, cacheRead: 60, reasoning: 5 } : usage
