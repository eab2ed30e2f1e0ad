/**
 * contextBridge's rules for what goes between two worlds of one page: plain data is copied, functions and promises come over as
 * proxies, prototypes and symbols stay behind. Both worlds run this, each with its own direction of DOM events.
 */

type Packed =
  | { readonly as: 'value'; readonly value: unknown }
  | { readonly as: 'function' | 'promise'; readonly id: number }
  | { readonly as: 'error'; readonly message: string; readonly stack: string | undefined }
  | { readonly as: 'array'; readonly items: Packed[] }
  | { readonly as: 'object'; readonly entries: [string, Packed][] }

type Message =
  | { readonly kind: 'call'; readonly call: number; readonly id: number; readonly args: Packed[] }
  | { readonly kind: 'returned' | 'threw'; readonly call: number; readonly value: Packed }
  | { readonly kind: 'fulfilled' | 'rejected'; readonly id: number; readonly value: Packed }
  | { readonly kind: 'expose'; readonly key: string; readonly api: Packed }
  | { readonly kind: 'hello' }

export interface Crossing {
  /** @throws Error with Electron's words where a value cannot cross. */
  expose(key: string, api: unknown): void
  hello(): void
}

const DEEPEST = 1000

export function createCrossing(options: {
  out: string
  in: string
  onExpose?: (key: string, api: unknown) => void
  onHello?: () => void
}): Crossing {
  const functions = new Map<number, (...args: unknown[]) => unknown>()
  const promises = new Map<number, { resolve(value: unknown): void; reject(fault: unknown): void }>()
  const returns = new Map<number, Extract<Message, { kind: 'returned' | 'threw' }>>()
  let lastId = 0
  const send = (detail: Message) => window.dispatchEvent(new CustomEvent(options.out, { detail }))

  const settle = (kind: 'fulfilled' | 'rejected', id: number) => (value: unknown) =>
    send({ kind, id, value: pack(value) })

  function pack(value: unknown, depth = 0): Packed {
    if (depth > DEEPEST) {
      throw new Error(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    }
    if (typeof value === 'symbol') return { as: 'value', value: undefined }
    if (typeof value === 'function') {
      functions.set(++lastId, value as (...args: unknown[]) => unknown)
      return { as: 'function', id: lastId }
    }
    if (typeof value !== 'object' || value === null) return { as: 'value', value }
    if (value instanceof Promise) {
      const id = ++lastId
      value.then(settle('fulfilled', id), settle('rejected', id))
      return { as: 'promise', id }
    }
    if (value instanceof Error) return { as: 'error', message: value.message, stack: value.stack }
    if (Array.isArray(value)) return { as: 'array', items: value.map(item => pack(item, depth + 1)) }
    // What the browser or the language made knows how to be cloned; all else is its own properties.
    if (isCloneable(value)) return { as: 'value', value: clone(value) }
    return { as: 'object', entries: Object.entries(value).map(([name, inner]) => [name, pack(inner, depth + 1)]) }
  }

  function unpack(packed: Packed): unknown {
    switch (packed.as) {
      case 'value':
        return packed.value
      case 'function':
        return (...args: unknown[]) => call(packed.id, args)
      case 'promise':
        return new Promise((resolve, reject) => promises.set(packed.id, { resolve, reject }))
      case 'error':
        return Object.assign(new Error(packed.message), { stack: packed.stack })
      case 'array':
        return packed.items.map(unpack)
      case 'object':
        return Object.fromEntries(packed.entries.map(([name, inner]) => [name, unpack(inner)]))
    }
  }

  /** DOM events are synchronous: the answer is there when the dispatch returns. */
  function call(id: number, args: unknown[]): unknown {
    const at = ++lastId
    send({ kind: 'call', call: at, id, args: args.map(arg => pack(arg)) })
    const answer = returns.get(at)
    returns.delete(at)
    if (!answer) throw new Error('electron double: the other world did not answer')
    const value = unpack(answer.value)
    if (answer.kind === 'threw') throw value
    return value
  }

  function run({ call: at, id, args }: Extract<Message, { kind: 'call' }>): void {
    try {
      send({ kind: 'returned', call: at, value: pack(functions.get(id)?.(...args.map(unpack))) })
    } catch (fault) {
      send({ kind: 'threw', call: at, value: pack(fault) })
    }
  }

  window.addEventListener(options.in, event => {
    const message = (event as CustomEvent<Message>).detail
    switch (message.kind) {
      case 'call':
        return run(message)
      case 'returned':
      case 'threw':
        return void returns.set(message.call, message)
      case 'fulfilled':
      case 'rejected': {
        const promise = promises.get(message.id)
        promises.delete(message.id)
        return promise?.[message.kind === 'fulfilled' ? 'resolve' : 'reject'](unpack(message.value))
      }
      case 'expose':
        return options.onExpose?.(message.key, unpack(message.api))
      case 'hello':
        return options.onHello?.()
    }
  })
  return {
    expose: (key, api) => void send({ kind: 'expose', key, api: pack(api) }),
    hello: () => void send({ kind: 'hello' }),
  }
}

const isCloneable = (value: object) => Object.prototype.toString.call(value) !== '[object Object]'

function clone(value: object): object {
  try {
    return structuredClone(value)
  } catch {
    throw new Error('An object could not be cloned.')
  }
}
