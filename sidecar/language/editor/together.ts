/** Several servers are asked at once. Who has answered is not kept waiting for long by who has not. */

/** After the first that had something to say. */
const GRACE_MS = 300

/** In the order of `asked`; null for who had not answered by then. Rejects where `ask` does. */
export async function together<A, T>(asked: readonly A[], ask: (each: A) => Promise<T | null>): Promise<(T | null)[]> {
  const answers = asked.map((): T | null => null)
  let timer: NodeJS.Timeout | undefined
  let enough = () => {}
  const grace = new Promise<void>(resolve => {
    enough = resolve
  })
  const all = Promise.all(
    asked.map(async (each, at) => {
      const answer = await ask(each)
      answers[at] = answer
      if (!isEmpty(answer)) timer ??= setTimeout(enough, GRACE_MS)
    }),
  )
  try {
    await Promise.race([all, grace])
    return answers
  } finally {
    clearTimeout(timer)
  }
}

/** The first that has something to say, in the order of who is asked first; null where none has. Rejects where `ask` does. */
export async function firstOf<A, T>(
  asked: readonly A[],
  ask: (each: A) => Promise<T | null>,
): Promise<{ of: A; answer: T } | null> {
  for (const of of asked) {
    const answer = await ask(of)
    if (!isEmpty(answer)) return { of, answer: answer as T }
  }
  return null
}

const isEmpty = (answer: unknown): boolean =>
  answer === null || answer === undefined || (Array.isArray(answer) && answer.length === 0)
