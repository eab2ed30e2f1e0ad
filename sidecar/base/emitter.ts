/** Tell several listeners in the order they came. One that throws does not keep the others from hearing. */
export interface Emitter<T> {
  emit(value: T): void
  /** Returns the function that ends listening. */
  on(listener: (value: T) => void): () => void
  readonly listeners: number
}

export function createEmitter<T>(
  onFault: (fault: unknown) => void = fault =>
    queueMicrotask(() => {
      throw fault
    }),
): Emitter<T> {
  const all = new Set<(value: T) => void>()
  return {
    emit(value) {
      for (const listener of [...all]) {
        try {
          listener(value)
        } catch (fault) {
          onFault(fault)
        }
      }
    },
    on(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    get listeners() {
      return all.size
    },
  }
}
