/** What the servers of one language can do, all its open texts together. Each text's own is looked at again before it is asked about. */
import type { LanguageFeatures } from '#contract/language-editor'

export function unionOf(a: LanguageFeatures, b: LanguageFeatures): LanguageFeatures {
  const able = Object.fromEntries(Object.entries(a).map(([name, can]) => [name, can || b[name as keyof typeof b]]))
  return {
    ...(able as unknown as LanguageFeatures),
    completion: both(a.completion, b.completion),
    signature: both(a.signature, b.signature),
    formatOnType: both(a.formatOnType, b.formatOnType),
  }
}

/** Each list of characters holds those of both, sorted. */
function both<L extends Readonly<Record<string, readonly string[]>>>(a: L | null, b: L | null): L | null {
  if (!a || !b) return a ?? b
  const lists = Object.entries(a).map(([name, list]) => [name, [...new Set([...list, ...(b[name] ?? [])])].sort()])
  return Object.fromEntries(lists) as L
}
