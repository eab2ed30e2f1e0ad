/**
 * Programs that run other programs: what they run is judged as well, and counts like a command of its own. `transparent`
 * ones add nothing by themselves; what is wrapped in a way that is not known here is not looked through.
 */
import { anyWord, literalWord, type Word } from './words.ts'

export interface Wrapped {
  /** What runs inside: words, or text for a shell. Null: nothing does. */
  readonly inner: { readonly argv: readonly Word[] } | { readonly text: string } | null
  /** Nothing but the inner command happens. */
  readonly transparent: boolean
  /** Why it cannot be told what runs. */
  readonly unknown?: string
}

type Unwrap = (args: readonly Word[]) => Wrapped

const nothing: Wrapped = { inner: null, transparent: false }
const unsure = (unknown: string): Wrapped => ({ inner: null, transparent: false, unknown })
const running = (argv: readonly Word[], transparent: boolean): Wrapped =>
  argv.length === 0 ? nothing : { inner: { argv }, transparent }

/** Skips options: `flags` alone, `valued` with the next word. Null at one that is in neither. */
function afterOptions(args: readonly Word[], flags: RegExp, valued: RegExp | null): number | null {
  let at = 0
  while (at < args.length) {
    const text = args[at]?.text
    if (text === null || text === undefined)
      return args[at]?.prefix.startsWith('-') || args[at]?.prefix === '' ? null : at
    if (text === '--') return at + 1
    if (!text.startsWith('-') || text === '-') return at
    if (valued?.test(text)) at += 2
    else if (flags.test(text)) at += 1
    else return null
  }
  return at
}

const simple =
  (flags: RegExp, valued: RegExp | null, skip = 0, transparent = true): Unwrap =>
  args => {
    const at = afterOptions(args, flags, valued)
    return at === null ? unsure('its options are not known') : running(args.slice(at + skip), transparent)
  }

/** Variables that change nothing but how a program writes. */
const harmlessVariable =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|TERM|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|NODE_ENV|DEBUG|RUST_BACKTRACE|RUST_LOG|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|GIT_OPTIONAL_LOCKS)$/
export const isHarmlessVariable = (name: string): boolean => harmlessVariable.test(name)

const env: Unwrap = args => {
  let at = 0
  let transparent = true
  for (; at < args.length; at++) {
    const text = args[at]?.text ?? null
    const prefix = args[at]?.prefix ?? ''
    const name = /^([A-Za-z_]\w*)=/.exec(prefix)?.[1]
    if (name) transparent &&= isHarmlessVariable(name)
    else if (text === '-i' || text === '-' || text === '--ignore-environment' || text === '-0' || text === '--null')
      continue
    else if (text === '-u' || text === '--unset') at++
    else if (text !== null && /^(?:-u.|--unset=)/.test(text)) continue
    else if (text === '--') {
      at++
      break
    } else if (prefix.startsWith('-') || text === null) return unsure('its options are not known')
    else break
  }
  // Without a command it prints what is set.
  return at >= args.length ? { inner: null, transparent } : running(args.slice(at), transparent)
}

const xargs: Unwrap = args => {
  const at = afterOptions(
    args,
    /^-(?:[0rtx]+|-null|-no-run-if-empty|-verbose|-exit|-max-(?:args|procs|lines)=\d+|-delimiter=.+|[nPL]\d+|I.+|d.+)$/,
    /^-(?:[nPLIds]|-max-args|-max-procs|-replace|-delimiter)$/,
  )
  if (at === null) return unsure('its options are not known')
  const argv = args.slice(at)
  return running([...(argv.length > 0 ? argv : [literalWord('echo')]), anyWord('...')], true)
}

/** `bash -c text`: the text is a script. Anything else runs a file, or what it is fed. */
const shell: Unwrap = args => {
  const at = args.findIndex(({ text }) => text === null || !/^-|^\+/.test(text) || /^-[a-zA-Z]*c[a-zA-Z]*$/.test(text))
  const first = args[at]
  if (!first) return unsure('it is a shell that reads its commands from elsewhere')
  const early = args.slice(0, at)
  const plain = early.every(({ text }) => /^-(?:-norc|-noprofile|[euxl]+)$/.test(text ?? ''))
  if (first.text !== null && /^-[a-zA-Z]*c/.test(first.text)) {
    const script = args[at + 1]
    if (!script || script.text === null || script.glob)
      return unsure('what a shell is told to do is known only when it runs')
    return { inner: { text: script.text }, transparent: plain && /^-[euxlc]+$/.test(first.text) }
  }
  return first.pipe || first.text === null || /^\/dev\//.test(first.text)
    ? unsure('it is a shell that reads its commands from elsewhere')
    : nothing
}

const command: Unwrap = args =>
  args[0]?.text === '-v' || args[0]?.text === '-V' ? { inner: null, transparent: true } : simple(/^-p$/, null)(args)

/** `watch` gives its words to a shell. */
const watch: Unwrap = args => {
  const at = afterOptions(
    args,
    /^-(?:[bdegtcx]+|n[\d.]+|-(?:differences|errexit|no-title|color|beep|exec|interval=[\d.]+))$/,
    /^(?:-n|--interval)$/,
  )
  if (at === null) return unsure('its options are not known')
  const words = args.slice(at)
  if (words.some(({ text }) => text === null)) return unsure('what a shell is told to do is known only when it runs')
  return { inner: { text: words.map(({ text }) => text).join(' ') }, transparent: true }
}

const busybox: Unwrap = args => (args[0]?.prefix.startsWith('-') ? nothing : running(args, true))
const anything = /^-/

export const wrappers: Readonly<Record<string, Unwrap>> = {
  env,
  command,
  builtin: simple(/^$/, null),
  exec: simple(/^-[cl]+$/, /^-a$/, 0, false),
  nohup: simple(/^$/, null),
  setsid: simple(/^(?:-[cfw]+|--(?:ctty|fork|wait))$/, null),
  timeout: simple(
    /^(?:-[vf]+|-[ks].+|--(?:foreground|preserve-status|verbose|kill-after=.+|signal=.+))$/,
    /^(?:-[ks]|--kill-after|--signal)$/,
    1,
  ),
  nice: simple(/^(?:-n-?\d+|-\d+|--adjustment=-?\d+)$/, /^(?:-n|--adjustment)$/),
  ionice: simple(/^(?:-t|-[cn]\d)$/, /^-[cn]$/),
  chrt: nothingKnown(),
  taskset: nothingKnown(),
  stdbuf: simple(/^(?:-[ioe](?:0|L|\d+[KMG]?)|--(?:input|output|error)=\w+)$/, /^-[ioe]$/),
  time: simple(/^-p$/, null),
  unbuffer: simple(/^-p$/, null),
  caffeinate: simple(/^-[dimsu]+$/, /^-[tw]$/),
  xargs,
  sudo: simple(
    /^(?:-[nEHkSbAi]+|--(?:non-interactive|preserve-env(?:=.*)?|set-home|login|background))$/,
    /^-[ugCpDRTh]$|^--(?:user|group)$/,
    0,
    false,
  ),
  doas: simple(/^-[nLs]+$/, /^-[uC]$/, 0, false),
  chroot: simple(/^--/, null, 1, false),
  flock: simple(/^-[nxseou]+$/, /^-[wE]$/, 1, false),
  strace: nothingKnown(),
  ltrace: nothingKnown(),
  proxychains: simple(/^-q$/, null, 0, false),
  proxychains4: simple(/^-q$/, null, 0, false),
  torsocks: simple(/^$/, null, 0, false),
  unshare: simple(anything, null, 0, false),
  nsenter: simple(anything, null, 0, false),
  'systemd-run': simple(anything, null, 0, false),
  busybox,
  toybox: busybox,
  watch,
  ...Object.fromEntries(
    ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'rbash', 'mksh'].map(name => [name, shell]),
  ),
}

/** Their options have words of their own that cannot be told from a command without a table: whatever follows counts as run. */
function nothingKnown(): Unwrap {
  return args => {
    const at = args.findIndex(({ prefix }) => /^[A-Za-z./]/.test(prefix))
    return at < 0 ? nothing : running(args.slice(at), false)
  }
}

/** What a shell does to itself or takes from elsewhere: nobody can tell what comes of it. */
export const opaquePrograms: Readonly<Record<string, string>> = {
  eval: 'it runs text that is put together when it runs',
  source: 'it runs the text of a file in this shell',
  '.': 'it runs the text of a file in this shell',
  alias: 'it gives a name another meaning',
  unalias: 'it gives a name another meaning',
  trap: 'it sets what runs later',
  enable: 'it changes what a name means',
  hash: 'it changes what a name means',
  shopt: 'it changes how the shell reads',
  complete: 'it sets what runs later',
  bind: 'it sets what runs later',
  coproc: 'it runs beside the shell',
  parallel: 'it puts commands together when it runs',
  fc: 'it runs what was run before',
  mapfile: 'it may run text that is put together when it runs',
  readarray: 'it may run text that is put together when it runs',
}
/** `find … -exec cmd {} ;`: each command, and what is left of find itself. */
export function findExecs(args: readonly Word[]): { inner: (readonly Word[])[]; rest: Word[]; unknown: boolean } {
  const inner: (readonly Word[])[] = []
  const rest: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (!word) continue
    if (word.text === null || !/^-(?:exec|execdir|ok|okdir)$/.test(word.text)) {
      rest.push(word)
      continue
    }
    const from = at + 1
    const ends = args.findIndex(
      ({ text }, i) => i > from && (text === ';' || (text === '+' && args[i - 1]?.text === '{}')),
    )
    if (ends < 0) return { inner, rest, unknown: true }
    // A file's name in its place; `find` never makes it an option where it begins with a folder.
    inner.push(
      args
        .slice(from, ends)
        .map(each => (each.text?.includes('{}') ? { ...anyWord(each.source), prefix: FOUND } : each)),
    )
    at = ends
  }
  return { inner, rest, unknown: false }
}
/** Begins the word that stands for what `find` found. */
export const FOUND = '{}'
