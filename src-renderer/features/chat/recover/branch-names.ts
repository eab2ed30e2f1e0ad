/** Names that a new branch of a conversation begins with. Pure. */

/** `One thing` -> `One thing 2`, the first number that no session has yet. */
export function nextTitle(title: string, sessions: readonly { readonly title: string }[]): string {
  const taken = new Set(sessions.map(each => each.title))
  const stem = title.replace(/ \d{1,3}$/, '')
  for (let count = 2; ; count++) if (!taken.has(`${stem} ${count}`)) return `${stem} ${count}`
}

const MOST_CHARS = 60

/** As git takes it: letters and numbers of any script, dashes between them. */
export function branchNameFor(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, MOST_CHARS)
    .replace(/^-+|-+$/g, '')
  return words === '' ? '' : `belay/${words}`
}
