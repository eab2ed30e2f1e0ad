/** Ties the double to electron.d.ts: the events of its classes are read from there, and so is the shape of all that it hands out. */
/// <reference types="electron" />
import type { EventEmitter } from 'node:events'

/** The parameters of every overload, the last one first. */
type OverloadParameters<T, Seen = unknown, Found = never> = T extends (...args: infer A) => infer R
  ? Seen extends T
    ? Found
    : OverloadParameters<Seen & T, Seen & ((...args: A) => R), Found | A>
  : Found
type EventOf<T> = T extends [event: infer E extends string, listener: (...args: infer A) => void] ? [E, A] : never

/** For `EventEmitter<...>`: what electron.d.ts says that T emits, with which arguments. */
export type EventsOf<T extends { on: unknown }> = {
  [E in EventOf<OverloadParameters<T['on']>> as E[0]]: E[1]
}

/** The double has only a part of most things; what it has must be of the right type. */
export const part = <T>(value: { [K in Exclude<keyof T, keyof EventEmitter>]?: T[K] }): T => value as T

/** An event whose default a listener may prevent. */
export function preventable<Facts extends object = object>(facts?: Facts): Electron.Event<Facts> {
  let prevented = false
  const event = {
    ...facts,
    preventDefault() {
      prevented = true
    },
  }
  return Object.defineProperty(event, 'defaultPrevented', { get: () => prevented }) as Electron.Event<Facts>
}

/** A use of what is gone fails as in Electron; `isDestroyed` and the listeners' methods still answer. */
export function markDestroyed(gone: object, until: object): void {
  const refuse = () => {
    throw new TypeError('Object has been destroyed')
  }
  for (let at = Object.getPrototypeOf(gone); at !== until; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) {
      if (name === 'constructor' || name === 'isDestroyed') continue
      const isMethod = typeof Object.getOwnPropertyDescriptor(at, name)?.value === 'function'
      Object.defineProperty(gone, name, isMethod ? { value: refuse } : { get: refuse, set: refuse })
    }
  }
}
