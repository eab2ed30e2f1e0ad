/** A reason why an update did not come about, thrown and told. */
import type { UpdateFailure } from '#contract/update'

interface Failed extends Error {
  readonly failure: UpdateFailure
  readonly detail: string | null
}

export const failed = (failure: UpdateFailure, detail: string | null = null): Failed =>
  Object.assign(new Error(detail ? `${failure}: ${detail}` : failure), { failure, detail })

/** Whatever was thrown as a reason; what nobody foresaw is `otherwise`, with its own words. */
export function failureOf(
  thrown: unknown,
  otherwise: UpdateFailure,
): { failure: UpdateFailure; detail: string | null } {
  const { failure, detail, message } = thrown as Partial<Failed>
  if (failure !== undefined) return { failure, detail: detail ?? null }
  return { failure: otherwise, detail: (message ?? String(thrown)).slice(0, 200) }
}
