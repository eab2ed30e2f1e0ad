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

export const compareKeyed = (aKey: string, a: string, bKey: string, b: string): number =>
  aKey < bKey ? -1 : aKey > bKey ? 1 : a < b ? -1 : a > b ? 1 : 0

export const compareNames = (a: string, b: string): number => compareKeyed(nameKey(a), a, nameKey(b), b)
