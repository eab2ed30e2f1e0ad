/** The word somebody most likely meant: the fewest letters put in, left out, exchanged or swapped. */

/** Null when nothing is near (more than two slips, or half of the word). */
export function nearest(given: string, words: readonly string[]): string | null {
  const ranked = words
    .map(word => ({ word, slips: slips(given.toLowerCase(), word.toLowerCase()) }))
    .sort((a, b) => a.slips - b.slips)
  const [best] = ranked
  return best && best.slips <= Math.min(2, Math.floor(best.word.length / 2)) ? best.word : null
}

/** Damerau-Levenshtein with adjacent swaps. */
function slips(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1))
      rows[i]?.push(swapped ? Math.min(least, at(i - 2, j - 2) + 1) : least)
    }
  }
  return at(a.length, b.length)
}
