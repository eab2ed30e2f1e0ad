/** Values between processes as text: what structured clone takes, refused in Electron's words where it does not. */
import { parse, stringify } from 'devalue'

/** @throws Error with Electron's words. */
export function cloned<T>(value: T): T {
  try {
    return structuredClone(value)
  } catch {
    throw new Error('An object could not be cloned.')
  }
}

const errors: Record<string, ErrorConstructor> = {
  Error,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
}

const reducers = {
  // Only the bytes that are shown, not the whole of what is behind them.
  Bytes: (value: unknown) =>
    value instanceof Uint8Array && value.byteLength < value.buffer.byteLength && new Uint8Array(value),
  Error: (value: unknown) => value instanceof Error && [value.name, value.message, value.stack],
}
const revivers = {
  Bytes: (bytes: Uint8Array) => bytes,
  Error: ([name, message, stack]: [string, string, string]) =>
    Object.assign(new (errors[name] ?? Error)(message), { stack }),
}

/** @throws Error with Electron's words. */
export const pack = (value: unknown): string => stringify(cloned(value), reducers)
export const unpack = (text: string): unknown => parse(text, revivers)
