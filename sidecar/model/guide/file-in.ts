/** Which file a person means: a path that exists, or the one file whose name fits. */

import { namesIn } from './seen.ts'
import type { Situation, Step } from './situation.ts'

/** Either the file, or the step that finds out (or says that none or several fit). */
export function fileIn(what: string, { seen, words }: Situation): { file: string } | { step: Step } {
  const wanted = what.replace(/^\.?\//, '').replace(/:\d+$/, '')
  const globs = seen.filter(each => each.tool === 'glob')
  const escaped = wanted.replace(/[[\]{}*?!\\]/g, '?')
  const exact = globs[0]
  if (!exact)
    return { step: { say: '', calls: [{ tool: 'glob', arguments: { pattern: `{${escaped},**/${escaped}}` } }] } }
  const names = matches(exact)
  const loose = globs[1]
  if (names.length === 0 && !loose)
    return { step: { say: '', calls: [{ tool: 'glob', arguments: { pattern: `**/*${escaped}*` } }] } }
  const all = names.length > 0 ? names : loose ? matches(loose) : []
  const first = all.find(name => name === wanted) ?? (all.length === 1 ? all[0] : undefined)
  if (first !== undefined) return { file: first }
  return { step: { say: all.length === 0 ? words.none(what) : words.several(what, all) } }
}

const matches = ({ failed, text }: { failed: boolean; text: string }): string[] =>
  failed || /^No file/.test(text) ? [] : namesIn(text)
