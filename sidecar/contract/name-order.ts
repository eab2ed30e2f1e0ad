/** How names sort, the same in every process: case and accents folded, numbers by value, ties by the exact name. A total order. */

const isDigit = (code: number): boolean => code >= 48 && code <= 57

/** Plain `<` on keys is the order of names. Numbers carry their length in front, so that 9 comes before 10. */
export function nameKey(name: string): string {
  const folded = fold(name)
  let out = ''
  let copied = 0
  for (let at = 0; at < folded.length; at++) {
    if (!isDigit(folded.charCodeAt(at))) continue
    let start = at
    while (folded.charCodeAt(start) === 48 && isDigit(folded.charCodeAt(start + 1))) start++
    let end = start + 1
    while (isDigit(folded.charCodeAt(end))) end++
    out += `${folded.slice(copied, at)}0${String.fromCharCode(end - start)}${folded.slice(start, end)}`
    copied = end
    at = end - 1
  }
  return copied === 0 ? folded : out + folded.slice(copied)
}

function fold(name: string): string {
  for (let at = 0; at < name.length; at++) {
    if (name.charCodeAt(at) > 127) return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  }
  return name.toLowerCase()
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The same order by keys: for what is not plain ASCII. */
export const compareByKey = (a: string, b: string): number => byText(nameKey(a), nameKey(b)) || byText(a, b)

/** Character by character without making keys, for there are lists of 100,000. */
export function compareNames(a: string, b: string): number {
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(j)
    if (x > 127 || y > 127) return compareByKey(a, b)
    if (isDigit(x) && isDigit(y)) {
      const [from, until] = numberAt(a, i)
      const [start, end] = numberAt(b, j)
      const order = until - from - (end - start) || byText(a.slice(from, until), b.slice(start, end))
      if (order !== 0) return order
      i = until
      j = end
      continue
    }
    const order = (isDigit(x) ? 48 : lower(x)) - (isDigit(y) ? 48 : lower(y))
    if (order !== 0) return order
    i++
    j++
  }
  return a.length - i - (b.length - j) || byText(a, b)
}

const lower = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code)

/** From the first digit that counts to the end of the run. */
function numberAt(text: string, at: number): [number, number] {
  let from = at
  while (text.charCodeAt(from) === 48 && isDigit(text.charCodeAt(from + 1))) from++
  let until = from + 1
  while (isDigit(text.charCodeAt(until))) until++
  return [from, until]
}
