/** Something that is made when it is first wanted, and then the same for everybody. */

/** The first call's promise for every caller; one that failed is tried again by the next. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch(fault => {
      made = null
      throw fault
    })
    return made
  }
}
