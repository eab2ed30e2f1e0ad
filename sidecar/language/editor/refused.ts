/** A server that would not: its own words, which are a stranger's, as part of ours. */
import { BelayError } from '#contract/error'
import { flat } from '../../base/foreign-text.ts'

/** For `catch`: always throws. What is a fault of ours already goes on as it is. */
export const refused =
  (server: string) =>
  (fault: unknown): never => {
    if ((fault as { name?: unknown }).name === 'BelayError') throw fault
    const said = flat(String((fault as { message?: unknown }).message ?? ''), 300)
    throw new BelayError('unavailable', `${server} did not do it${said ? `: ${said}` : '.'} Nothing was changed.`, {
      cause: fault,
    })
  }
