/** What is typed to find a file: a name, and after it perhaps a place: `session.ts:12:4`. */

export interface FileQuery {
  readonly name: string
  readonly line?: number
  readonly column?: number
}

export function readFileQuery(text: string): FileQuery {
  const found = /^(.*?)(?::(\d+))(?::(\d+))?:?$/.exec(text.trim())
  if (!found?.[1]) return { name: text.trim() }
  return {
    name: found[1],
    line: Number(found[2]),
    ...(found[3] ? { column: Number(found[3]) } : {}),
  }
}
