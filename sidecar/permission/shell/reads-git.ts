/** Which git commands only read, and which move refs. A verb that is not known may be an alias for anything. */
import { badOption, positionals, valuesOf } from './options.ts'
import type { Reading } from './reading.ts'
import type { Word } from './words.ts'

const no = (why: string) => ({ reading: null, why })
/** Options of any verb that write or run something. */
const bad = {
  long: [
    'output',
    'ext-diff',
    'textconv',
    'filters',
    'open-files-in-pager',
    'upload-pack',
    'exec',
    'show-signature',
    'contents',
  ],
}

const readVerbs = new Set(
  (
    'status log diff show rev-parse ls-files ls-tree blame annotate describe cat-file rev-list name-rev merge-base diff-tree ' +
    'diff-index diff-files for-each-ref show-ref grep count-objects version whatchanged check-ignore check-attr shortlog range-diff'
  ).split(' '),
)
const refVerbs = new Set(
  (
    'commit reset checkout switch restore rebase stash push clean merge cherry-pick revert tag branch pull am worktree update-ref ' +
    'symbolic-ref filter-branch filter-repo replace reflog notes bisect read-tree send-pack commit-tree fast-import gc prune'
  ).split(' '),
)

export interface GitCall {
  readonly verb: string | null
  readonly args: readonly Word[]
  /** Folders of `-C`. */
  readonly folders: readonly string[]
  /** An option before the verb that changes what the verb does. */
  readonly changed: string | null
}

/** `args`: without the word `git`. */
export function gitCall(args: readonly Word[]): GitCall {
  const folders: string[] = []
  let changed: string | null = null
  let at = 0
  for (; at < args.length; at++) {
    const { text, prefix } = args[at] ?? { text: null, prefix: '' }
    if (text === null && !prefix.startsWith('-')) break
    if (!prefix.startsWith('-')) break
    if (text === '-C') {
      const folder = args[++at]?.text ?? null
      if (folder === null) changed ??= '-C'
      else folders.push(folder)
    } else if (
      text === '--no-pager' ||
      text === '-P' ||
      text === '--no-optional-locks' ||
      text === '--literal-pathspecs' ||
      text === '--no-lazy-fetch' ||
      text === '--no-replace-objects'
    )
      continue
    else {
      changed ??= text ?? prefix
      if (
        text !== null &&
        /^(?:-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env|--attr-source)$/.test(text)
      )
        at++
    }
  }
  return { verb: args[at]?.text ?? null, args: args.slice(at + 1), folders, changed }
}

export function readsOfGit(words: readonly Word[]): { reading: Reading | null; why: string } {
  const { verb, args, folders, changed } = gitCall(words)
  if (changed !== null) return no(`${changed} changes what git does`)
  if (verb === null) return no('which git command it is is known only when it runs')
  const unknown = args.find(({ text }) => text === null)
  if (unknown) return no(`${unknown.source} is known only when it runs`)
  const option = badOption(args, bad)
  if (option) return no(`${option} makes git do more than read`)
  if (verb === 'grep' && badOption(args, { short: 'O' })) return no('-O makes git do more than read')
  const why = readVerbs.has(verb)
    ? null
    : (listings[verb]?.(args) ??
      (listings[verb] ? null : refVerbs.has(verb) ? MOVES : 'it is not on the list of what only reads'))
  if (why !== null) return no(why)
  const named = positionals(args).flatMap(word => {
    const at = word.text?.indexOf(':') ?? -1
    return at > 0 ? [word, { ...word, text: word.text?.slice(at + 1) ?? '' }] : [word]
  })
  return { reading: { paths: [...named, ...valuesOf(args)].filter(({ text }) => text !== ''), git: folders }, why: '' }
}

const MOVES = 'it moves refs or changes what is checked out'
/** It does what `allowed` says and nothing else. */
const only = (args: readonly Word[], allowed: RegExp, most: number): string | null => {
  const options = args.every(({ text }) => text === null || !text.startsWith('-') || allowed.test(text))
  return options && positionals(args).length <= most ? null : MOVES
}
const isListing = (args: readonly Word[]): boolean =>
  args.some(({ text }) =>
    /^(?:-l|--list|--contains|--no-contains|--merged|--no-merged|--points-at)(?:=|$)/.test(text ?? ''),
  )
const listingFlags =
  /^(?:-[arvliq]+|-n\d*|--(?:list|show-current|all|remotes|verbose|contains|no-contains|merged|no-merged|points-at|sort|format|column|no-column|color|no-color|ignore-case|abbrev|no-abbrev)(?:=.*)?)$/

/** Verbs that read in some of their forms: null when this is one. */
const listings: Readonly<Record<string, (args: readonly Word[]) => string | null>> = {
  branch: args => only(args, listingFlags, isListing(args) ? 100 : 0),
  tag: args => only(args, listingFlags, isListing(args) ? 100 : 0),
  remote: args =>
    args.length === 0 ||
    (args.length === 1 && /^(?:-v|--verbose)$/.test(args[0]?.text ?? '')) ||
    (args[0]?.text === 'get-url' && args.length === 2)
      ? null
      : 'it changes remotes or connects to one',
  config: args =>
    args.some(({ text }) => /^(?:--get|--get-all|--get-regexp|--list|-l)$/.test(text ?? '')) ||
    /^(?:get|list)$/.test(args[0]?.text ?? '')
      ? args.every(
          ({ text }) =>
            !text?.startsWith('-') ||
            /^(?:--(?:get|get-all|get-regexp|list|show-origin|show-scope|name-only|global|local|system|worktree|type=\w+|bool|int|path|null|includes|default)|-[lz])$/.test(
              text,
            ),
        ) && positionals(args).length <= 2
        ? null
        : 'it changes settings of git'
      : 'it changes settings of git',
  stash: args => (args[0]?.text === 'list' || args[0]?.text === 'show' ? null : MOVES),
  reflog: args => (args.length === 0 || args[0]?.text === 'show' ? null : MOVES),
  worktree: args => (args[0]?.text === 'list' ? null : MOVES),
  notes: args => (args[0]?.text === 'list' || args[0]?.text === 'show' ? null : MOVES),
  'symbolic-ref': args => only(args, /^(?:--short|-q|--quiet)$/, 1),
}

/** Whether it is a git command that moves refs, the index or what is checked out. */
export function movesRefs(words: readonly Word[]): boolean {
  const { verb } = gitCall(words)
  return verb !== null && refVerbs.has(verb)
}
