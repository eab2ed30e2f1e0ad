/** What a server can do: said once with `initialize`, and taken back or added at any time by registration. */
import { matchesGlob } from './glob.ts'

export interface Registration {
  readonly id: string
  readonly method: string
  readonly options: Readonly<Record<string, unknown>>
}

export interface Registrations {
  /** Hostile in shape: what is no registration is left out. */
  add(params: unknown): void
  remove(params: unknown): void
  /** Those of a method that hold for a document, the static one first. */
  of(method: string, document?: DocumentFacts): Registration[]
}

export interface DocumentFacts {
  readonly absolute: string
  readonly languageId: string
}

/** `fixed`: method to what `initialize` answered for it; `true` and an object both mean yes. */
export function createRegistrations(fixed: Readonly<Record<string, unknown>>): Registrations {
  const all = new Map<string, Registration>()
  for (const [method, said] of Object.entries(fixed)) {
    if (said === undefined || said === null || said === false) continue
    all.set(`static ${method}`, { id: `static ${method}`, method, options: objectOf(said) })
  }
  return {
    add(params) {
      for (const each of arrayOf(objectOf(params).registrations)) {
        const { id, method, registerOptions } = objectOf(each)
        if (typeof id === 'string' && typeof method === 'string')
          all.set(id, { id, method, options: objectOf(registerOptions) })
      }
    },
    remove(params) {
      // The protocol spells it so.
      for (const each of arrayOf(objectOf(params).unregisterations)) {
        const { id } = objectOf(each)
        if (typeof id === 'string') all.delete(id)
      }
    },
    of: (method, document) =>
      [...all.values()].filter(
        each => each.method === method && (!document || selects(each.options.documentSelector, document)),
      ),
  }
}

/** No selector means every document the server has. */
function selects(selector: unknown, { absolute, languageId }: DocumentFacts): boolean {
  if (!Array.isArray(selector)) return true
  return selector.some(each => {
    const { language, scheme, pattern } = objectOf(typeof each === 'string' ? { language: each } : each)
    if (typeof language === 'string' && language !== languageId && language !== '*') return false
    if (typeof scheme === 'string' && scheme !== 'file') return false
    return typeof pattern !== 'string' || matchesGlob(pattern, absolute)
  })
}

export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
export const arrayOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
