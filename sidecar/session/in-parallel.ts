/** Several pieces of work at once, but not all of them. */

/** At most `width` at a time; answers in the order of `all`. */
export async function inParallel<T, R>(all: readonly T[], width: number, work: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) results[index] = await work(all[index] as T)
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}
