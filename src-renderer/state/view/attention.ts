/** Whether a person is still where they were: what comes late (code, a shell) takes the focus only from who has not gone on. */

let moves = 0

/** The person ran a command or moved by hand. */
export function personMoved(): void {
  moves += 1
}

/** Asked as soon as a command runs; the answer tells, at any later time, whether the person still waits for it. */
export function holdAttention(): () => boolean {
  const [at, left] = [moves, document.activeElement]
  return () => {
    const now = document.activeElement
    return at === moves && (now === left || now === document.body)
  }
}
