/** What people type to say which files: `*.ts, src`. A plain name means that file or everything in that folder. */
import ignore from 'ignore'

/** `src` means src and all below it anywhere; `./src` only at the top; `*.ts` as it stands. */
export function globs(text: string): string[] {
  return splitGlobs(text).flatMap(part => {
    const anchored = /^\.?\//.test(part)
    const bare = part.replace(/^\.?\//, '').replace(/\/+$/, '')
    if (bare === '') return []
    const start = anchored ? '/' : bare.startsWith('**/') ? '' : '**/'
    const whole = `${start}${bare.replace(/^!+/, '')}`
    return /\*\*$/.test(bare) ? [whole] : [whole, `${whole}/**`]
  })
}

/** At commas, but not at those inside `{a,b}`. */
function splitGlobs(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let part = ''
  for (const character of text) {
    if (character === '{') depth += 1
    if (character === '}') depth = Math.max(0, depth - 1)
    if (character === ',' && depth === 0) {
      parts.push(part.trim())
      part = ''
    } else part += character
  }
  return [...parts, part.trim()].filter(each => each !== '')
}

/** Whether ripgrep, given the same words, would look into a file: for texts that it does not find by itself. */
export function wantedBy(include: string, exclude: string): (path: string) => boolean {
  const [wanted, unwanted] = [include, exclude].map(text =>
    ignore({ ignorecase: false }).add(globs(text).flatMap(braces)),
  )
  const all = globs(include).length === 0
  return path => (all || wanted?.ignores(path) === true) && unwanted?.ignores(path) !== true
}

/** `{a,b}` is ripgrep's; .gitignore has no such thing. */
function braces(glob: string): string[] {
  const found = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(glob)
  if (!found) return [glob]
  const [, before = '', inside = '', after = ''] = found
  return inside.split(',').flatMap(each => braces(`${before}${each}${after}`))
}
