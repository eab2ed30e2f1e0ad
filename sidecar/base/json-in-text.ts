/** JSON in somebody's prose: where it may stand, and how it is read. */

/** In order: fenced blocks, balanced values at the top level, from the first brace to the last, all of it. */
export function* candidatesIn(text: string): Generator<string> {
  for (const [, inside = ''] of text.matchAll(/```(?:json[5c]?)?[^\S\n]*\n([\s\S]*?)```/gi)) yield inside
  yield* balancedIn(text)
  const from = text.search(/[{[]/)
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (from >= 0 && to > from) yield text.slice(from, to + 1)
  yield text
}

const partner: Record<string, string> = { '{': '}', '[': ']' }

/** Openings that are never closed, each looked after to the end of the text: an answer of nothing else must not hold up anybody. */
const MOST_UNCLOSED = 20

/** Knows strings: a brace in one counts for nothing. An opening that is never closed is passed over once. */
function* balancedIn(text: string): Generator<string> {
  let unclosed = 0
  for (let at = 0; at < text.length && unclosed < MOST_UNCLOSED; ) {
    const open = text[at]
    const opens = open !== undefined && open in partner
    const end = opens ? endOf(text, at) : null
    if (opens && end === null) unclosed++
    if (end === null) at++
    else {
      yield text.slice(at, end)
      at = end
    }
  }
}

/** Behind the bracket that closes the one at `from`; null where none does. */
function endOf(text: string, from: number): number | null {
  const stack: string[] = []
  let inString = false
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? ''
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char in partner) stack.push(partner[char] ?? '')
    else if (char === '}' || char === ']') {
      if (stack.pop() !== char) return null
      if (stack.length === 0) return at + 1
    }
  }
  return null
}

/** As it is, else with the control characters in strings escaped that do not belong there. Undefined: it is no JSON. */
export function parseLoosely(text: string): unknown {
  for (const each of [text, escaped(text)]) {
    try {
      const value: unknown = JSON.parse(each)
      return value
    } catch {
      // The next form, or none.
    }
  }
  return undefined
}

function escaped(text: string): string {
  let out = ''
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? ''
    if (inString && char === '\\') {
      out += char + (text[++at] ?? '')
      continue
    }
    if (char === '"') inString = !inString
    out += inString && char < ' ' ? JSON.stringify(char).slice(1, -1) : char
  }
  return out
}
