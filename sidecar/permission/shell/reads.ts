/**
 * Programs that only read, as data: which of their options do more than that, and which of their words name files. What is not
 * here is not a read; no program is looked up by a path that a folder could have put something in.
 */

import { programOf, textOf } from './canonical.ts'
import { type Bad, badOption, positionals, valuesOf } from './options.ts'
import type { Reading } from './reading.ts'
import { readsOfGit } from './reads-git.ts'
import type { Word } from './words.ts'
import { FOUND } from './wrappers.ts'

interface ReadRule extends Bad {
  /** Options that take the next word, which is no file. */
  readonly valued?: RegExp
  /** Words before the files that are something else: a pattern, a script. */
  readonly skip?: number
  /** Options that give what would be skipped otherwise. */
  readonly skipsNot?: RegExp
  readonly most?: number
  /** Any words do: no option of it does more than print, and no word is a file. */
  readonly prints?: boolean
  /** No option of it does more than read: one that is known only later cannot harm. */
  readonly harmless?: boolean
  /** Answers why it is no read. */
  readonly check?: (args: readonly Word[], words: readonly Word[]) => string | null
}

const harmless: ReadRule = { harmless: true }
const prints: ReadRule = { prints: true }
const each = (names: string, rule: ReadRule): Record<string, ReadRule> =>
  Object.fromEntries(names.split(' ').map(name => [name, rule]))

const findBad = /^-(?:delete|fprint0?|fprintf|fls|exec|execdir|ok|okdir|files0-from)$/
const sedPart =
  /^\s*(?:(?:\d+|\$|\/(?:\\.|[^/\\\n])*\/)(?:,(?:\+?\d+|\$|\/(?:\\.|[^/\\\n])*\/))?)?\s*!?\s*(?:[pdq=]|s([/|,#])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiI\d]*)?\s*$/

function sed(args: readonly Word[], words: readonly Word[]): string | null {
  const scripts = args.flatMap(({ text }, i) =>
    args[i - 1]?.text === '-e' || args[i - 1]?.text === '--expression' ? [text] : [],
  )
  if (scripts.length === 0) scripts.push(words[0]?.text ?? null)
  const simple = scripts.every(
    script => script !== null && (sedPart.test(script) || script.split(';').every(part => sedPart.test(part))),
  )
  return simple ? null : 'its script may write or run something'
}

function awk(args: readonly Word[], words: readonly Word[]): string | null {
  if (args.some(({ prefix }) => /^-/.test(prefix) && !/^-[Fv]/.test(prefix))) return 'its options may run something'
  const script = words[0]?.text ?? null
  return script === null || /system|getline|[>|@`]/.test(script) ? 'its script may write or run something' : null
}

const table: Readonly<Record<string, ReadRule>> = {
  ...each('cat head tail wc cut nl tac rev paste fold fmt expand unexpand comm cmp od hexdump strings', harmless),
  ...each(
    'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum cksum b2sum sum stat du df ls dir vdir realpath readlink',
    harmless,
  ),
  ...each('echo basename dirname true false : seq pwd whoami id groups uname arch nproc uptime tty locale', prints),
  ...each('which type whereis printenv ps cal free lscpu getconf', prints),
  ...each('wc du', { harmless: true, long: ['files0-from'] }),
  head: { harmless: true, valued: /^-[nc]$/ },
  tail: { harmless: true, valued: /^-[nc]$/ },
  cut: { harmless: true, valued: /^-[dfbc]$/ },
  seq: prints,
  printf: {
    prints: true,
    check: args => (args[0]?.prefix.startsWith('-') || args[0]?.text === null ? 'it may set a variable' : null),
  },
  '[': prints,
  test: {
    prints: true,
    check: args =>
      args.some(({ text }) => text === '-v' || text === '-R') ? 'it looks into what a variable holds' : null,
  },
  '[[': prints,
  exit: prints,
  cd: {
    most: 1,
    check: (args, words) =>
      words[0]?.text === null || args.some(({ text }) => text === '-') ? 'where it leads is not known' : null,
  },
  hostname: { most: 0, short: 'FbB', long: ['file', 'boot'] },
  date: {
    short: 's',
    long: ['set', 'file'],
    valued: /^(?:-d|--date)$/,
    check: (_, words) => (words.some(({ prefix }) => !prefix.startsWith('+')) ? 'it sets the clock' : null),
  },
  file: { short: 'CzZ', long: ['compile', 'uncompress', 'uncompress-noreport', 'no-sandbox'] },
  tree: { short: 'oR', long: ['output'], valued: /^-[LPI]$/ },
  sort: { short: 'oT', long: ['output', 'temporary-directory', 'compress-program', 'files0-from'], valued: /^-[ktS]$/ },
  uniq: { most: 1, valued: /^-[fsw]$/ },
  xxd: { most: 1, short: 'r', long: ['revert'], valued: /^-[lsgcon]$/ },
  base64: harmless,
  tr: prints,
  column: { harmless: true, valued: /^-[stcoNJR]$/ },
  diff: { short: 'l', long: ['paginate'], valued: /^-[UIx]$/ },
  ...each('grep egrep fgrep', {
    skip: 1,
    skipsNot: /^(?:-e|--regexp|-f|--file)/,
    valued: /^(?:-[eABCmd]|--(?:regexp|include|exclude|exclude-dir|max-count|context|after-context|before-context))$/,
  }),
  rg: {
    short: 'z',
    long: ['pre', 'pre-glob', 'hostname-bin', 'search-zip'],
    skip: 1,
    skipsNot: /^(?:-e|--regexp|-f|--file|--files$)/,
    valued:
      /^(?:-[eABCmgtTMrjE]|--(?:regexp|glob|iglob|type|type-not|max-count|context|after-context|before-context|max-depth|replace|sort|max-columns))$/,
  },
  fd: {
    short: 'xX',
    long: ['exec', 'exec-batch', 'base-directory'],
    skip: 1,
    valued: /^(?:-[etdEgcS]|--(?:extension|type|max-depth|exclude|min-depth))$/,
  },
  fdfind: {
    short: 'xX',
    long: ['exec', 'exec-batch', 'base-directory'],
    skip: 1,
    valued: /^(?:-[etdEgcS]|--(?:extension|type|max-depth|exclude))$/,
  },
  sed: {
    short: 'iIfw',
    long: ['in-place', 'file'],
    skip: 1,
    skipsNot: /^(?:-e|--expression)/,
    valued: /^(?:-[el]|--expression|--line-length)$/,
    check: sed,
  },
  ...each('awk gawk mawk nawk', { skip: 1, valued: /^-[Fv]$/, check: awk }),
  jq: { short: 'fL', long: ['from-file', 'library-path'], skip: 1, valued: /^--(?:indent|arg|argjson)$/ },
}
/** Programs whose version may be asked for: none of them takes another program from the folder to answer. */
const versioned = new Set(
  'node npm python python3 pip pip3 ruby perl php java javac gcc g++ cc clang clang++ make cmake ninja docker git rg grep sed gawk jq bash zsh curl wget tar ssh openssl sqlite3 psql mysql redis-server nvim vim'.split(
    ' ',
  ),
)
const versionFlag = /^(?:--version|-v|-V|-version)$/
const systemFolders = /^(?:\/usr)?\/bin\//

/** Null: it may do more than read; `why` says what of it. */
export function readingOf(argv: readonly Word[]): { reading: Reading | null; why: string } {
  const [first, ...args] = argv
  const no = (why: string) => ({ reading: null, why })
  const name = programOf(first)
  if (!first?.text || name === null) return no('which program runs is not known')
  if (first.text.includes('/') && !systemFolders.test(first.text)) return no('it runs a program by its path')
  if (name === 'git' && args.length > 0 && !(args.length === 1 && args[0]?.text === '--version'))
    return readsOfGit(args)
  if (name === 'find') return readsOfFind(args)
  if (
    versioned.has(name) &&
    args.length === 1 &&
    versionFlag.test(args[0]?.text ?? '') &&
    !(name.startsWith('python') && args[0]?.text === '-v')
  )
    return { reading: { paths: [], anywhere: true }, why: '' }
  if (
    name === 'npm' &&
    /^(?:ls|list|prefix|root)$/.test(args[0]?.text ?? '') &&
    args.every(({ text }) => text !== null && !/^--(?:prefix|userconfig|globalconfig|node-options)/.test(text))
  )
    return { reading: { paths: [] }, why: '' }
  const rule = Object.hasOwn(table, name) ? table[name] : undefined
  if (!rule) return no('it is not on the list of what only reads')
  return byRule(name, rule, args)
}

function byRule(name: string, rule: ReadRule, args: readonly Word[]): { reading: Reading | null; why: string } {
  const no = (why: string) => ({ reading: null, why })
  const words = positionals(args, rule.valued ?? null)
  const checked = rule.check?.(args, words)
  if (checked) return no(checked)
  if (rule.prints) return { reading: { paths: [], anywhere: true }, why: '' }
  const bad = badOption(args, rule)
  if (bad) return no(`${bad} makes ${name} do more than read`)
  const fromFound = (word: Word): boolean => word.text === null && word.prefix === FOUND
  const unknown = args.find(word => word.text === null && !fromFound(word))
  if (unknown && !(rule.harmless && unknown.prefix.length > 0 && !unknown.prefix.startsWith('-')))
    return no(`${textOf([unknown])} is known only when it runs`)
  if (rule.most !== undefined && words.length > rule.most) return no(`${name} may write to its last word`)
  const given = rule.skipsNot && args.some(({ text }) => rule.skipsNot?.test(text ?? ''))
  const paths = words.slice(given ? 0 : (rule.skip ?? 0)).filter(word => !fromFound(word))
  if (paths.some(({ text }) => text === null)) return no(`${textOf(paths)} is known only when it runs`)
  return { reading: { paths: [...paths, ...valuesOf(args), ...attached(args)] }, why: '' }
}

/** `-f.env`: a file glued to its option. */
const attached = (args: readonly Word[]): Word[] =>
  args.flatMap(word => (word.text && /^-f./.test(word.text) ? [{ ...word, text: word.text.slice(2) }] : []))

function readsOfFind(args: readonly Word[]): { reading: Reading | null; why: string } {
  const no = (why: string) => ({ reading: null, why })
  const unknown = args.find(({ text }) => text === null)
  if (unknown) return no(`${textOf([unknown])} is known only when it runs`)
  const bad = args.find(({ text }) => findBad.test(text ?? ''))
  if (bad) return no(`${bad.text} makes find do more than read`)
  const from = args.findIndex(
    ({ text }, i) => /^[-(!]/.test(text ?? '') && !/^-[HLPD]$|^-O\d$/.test(text ?? '') && i >= 0,
  )
  const start = (from < 0 ? args : args.slice(0, from)).filter(({ text }) => !text?.startsWith('-'))
  // Names it looks for: one that is a secret's is not looked for silently.
  const named = args.slice(from < 0 ? args.length : from).filter(({ text }) => text !== null && !/^[-(!)]/.test(text))
  return { reading: { paths: [...start, ...named.map(word => ({ ...word, glob: true }))] }, why: '' }
}
