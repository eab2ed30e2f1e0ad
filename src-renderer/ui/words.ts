/** The words of one language as they are looked up: `area.key`, the area being the name of the file. */

export type Entries = Record<string, string>

/** `files`: by path, as the bundler gives them. */
export function wordsOf(files: Record<string, Entries>): Entries {
  const words: Entries = {}
  for (const [path, entries] of Object.entries(files)) {
    const area = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
    for (const [key, text] of Object.entries(entries)) words[`${area}.${key}`] = text
  }
  return words
}
