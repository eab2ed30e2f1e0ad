/** Which words match a query, how well, and where: letters in order, better at the beginnings of words and in a row. */

export interface Match {
  /** Higher is better. */
  readonly score: number
  readonly positions: readonly number[]
}

export function fuzzyMatch(query: string, text: string): Match | null {
  const wanted = query.toLowerCase().replace(/\s+/g, '')
  const lower = text.toLowerCase()
  if (wanted === '') return { score: 0, positions: [] }
  const whole = lower.indexOf(query.toLowerCase())
  if (whole >= 0)
    return {
      score: 1000 - whole - text.length * 0.1 + (startsWord(text, whole) ? 200 : 0),
      positions: Array.from({ length: query.length }, (_, index) => whole + index),
    }
  return inOrder(wanted, text, lower)
}

function inOrder(wanted: string, text: string, lower: string): Match | null {
  const positions: number[] = []
  let score = 0
  let at = 0
  for (const letter of wanted) {
    const word = nextWordStart(text, lower, letter, at)
    const found = word >= 0 ? word : lower.indexOf(letter, at)
    if (found < 0) return retry(wanted, lower, text)
    score += found === at && at > 0 ? 8 : startsWord(text, found) ? 10 : 1
    positions.push(found)
    at = found + 1
  }
  return { score: score - text.length * 0.1, positions }
}

/** Jumping ahead to a word's beginning may pass what is needed later: then plainly in order. */
function retry(wanted: string, lower: string, text: string): Match | null {
  const positions: number[] = []
  let at = 0
  for (const letter of wanted) {
    const found = lower.indexOf(letter, at)
    if (found < 0) return null
    positions.push(found)
    at = found + 1
  }
  return { score: -text.length * 0.1, positions }
}

const startsWord = (text: string, index: number): boolean =>
  index === 0 ||
  /[\s/._:()-]/.test(text[index - 1] ?? '') ||
  (/[a-z]/.test(text[index - 1] ?? '') && /[A-Z]/.test(text[index] ?? ''))

function nextWordStart(text: string, lower: string, letter: string, from: number): number {
  for (let at = lower.indexOf(letter, from); at >= 0; at = lower.indexOf(letter, at + 1))
    if (startsWord(text, at)) return at
  return -1
}
