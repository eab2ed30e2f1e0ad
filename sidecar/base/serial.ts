/** One after the other: work handed in runs in order, and a failed piece does not stop the next. */
export type Serial = <T>(work: () => Promise<T> | T) => Promise<T>

export function createSerial(): Serial & { idle(): Promise<void> } {
  let tail: Promise<unknown> = Promise.resolve()
  const run = <T>(work: () => Promise<T> | T): Promise<T> => {
    const next = tail.then(work, work)
    tail = next.catch(() => {})
    return next
  }
  return Object.assign(run, { idle: async () => void (await tail) })
}
