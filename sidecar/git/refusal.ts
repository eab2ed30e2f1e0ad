/** Turns what git printed into a reason, words for a person and next steps. What git says is shown, cleaned, where nothing better is known. */
import { BelayError } from '#contract/error'
import type { GitNext, GitReason, GitRefusal } from '#contract/git'
import type { Repository } from './repository.ts'
import type { GitResult } from './run.ts'

const MOST_FILES = 100

export const refuse = (
  reason: GitReason,
  message: string,
  next: GitNext[] = [],
  more: Pick<GitRefusal, 'files' | 'output'> = {},
): GitRefusal => ({ ok: false, reason, message, next, ...more })

export const stale = (what: string): GitRefusal =>
  refuse('stale', `${what}: it changed since it was shown. Nothing was done; look at it as it is now.`, ['refresh'])

interface Rule {
  readonly when: RegExp
  readonly reason: GitReason
  readonly words: string | ((found: RegExpExecArray) => string)
  readonly next: GitNext[]
}

/** The first that fits. `words` follow what was not done. */
const rules: readonly Rule[] = [
  {
    when: /Unable to create '(.+?\.lock)': File exists/,
    reason: 'locked',
    words: ([, file]) =>
      `Another git has it locked with ${file}. Wait until it has ended; if no git works here any more (after a crash), delete that file. Then try again.`,
    next: ['retry'],
  },
  {
    when: /Please tell me who you are|unable to auto-detect email address|empty ident name/,
    reason: 'identity',
    words: 'Git does not know your name and e-mail address, which stand in every commit. Set them, then try again.',
    next: ['setIdentity'],
  },
  {
    when: /gpg failed to sign|failed to sign the (data|push)|[Cc]ould(n't| not) (load public key|sign)|unable to sign the tag/,
    reason: 'signing',
    words:
      'It is to be signed, and signing failed. Check the key (user.signingKey), or switch signing off (commit.gpgSign).',
    next: ['retry', 'terminal'],
  },
  {
    when: /would be overwritten by|would be removed by|Please commit your changes or stash them|[Yy]ou have unstaged changes|[Yy]our index contains uncommitted changes|local changes to .* would be overwritten/,
    reason: 'dirty',
    words: 'Changes of yours stand in the way and would be overwritten. They were kept; commit or stash them first.',
    next: ['commit', 'stash'],
  },
  {
    when: /not concluded your (merge|cherry-pick|revert)|rebase-(merge|apply) directory|(cherry-pick|revert|rebase|merge) is (already )?in progress|[Yy]ou are in the middle of/,
    reason: 'inProgress',
    words: 'Something else is in progress here. Continue or abort that first.',
    next: ['continue', 'abort'],
  },
  {
    when: /unmerged (files|paths)|[Nn]eeds merge|not possible because you have unmerged|is unmerged|resolve your current index|You must edit all merge conflicts/,
    reason: 'conflict',
    words: 'Some files are in conflict. Resolve them, then go on.',
    next: ['resolve', 'abort'],
  },
  {
    when: /already (exists|used by worktree|checked out at)|cannot lock ref .* exists; cannot create|is already checked out/,
    reason: 'exists',
    words: 'There is one of that name already, or it is used elsewhere. Nothing was overwritten.',
    next: ['chooseName'],
  },
  {
    when: /is not a valid (branch|tag|remote) name|not a valid ref name|check-ref-format/,
    reason: 'name',
    words:
      'Git does not take that name: no spaces, no “..”, “~”, “^”, “:”, “?”, “*”, “[”, “\\”, and no “.lock” at its end.',
    next: ['chooseName'],
  },
  {
    when: /unknown revision|[Nn]ot a valid (object|commit) name|invalid reference|did not match any|[Nn]o such (ref|remote|branch)|not something we can merge|bad revision|ambiguous argument|not a commit|branch '.*' not found|tag '.*' not found|does not exist|invalid upstream|Failed to resolve/,
    reason: 'missing',
    words: 'There is no such thing (any more). Look again at what there is.',
    next: ['refresh'],
  },
]

/** `what` reads like "Not committed" and says what was kept where that is not everything. Throws `disk_full`. */
export function refusalOf(
  repository: Pick<Repository, 'toPath'> | null,
  what: string,
  result: Pick<GitResult, 'stderr' | 'stdout'>,
): GitRefusal {
  const text = `${result.stderr}\n${result.stdout.toString('utf8', 0, 20_000)}`.replace(/^hint:.*$/gm, '')
  if (/No space left on device/.test(text))
    throw new BelayError('disk_full', `${what}: the disk is full. Make room, then try again.`)
  const output = cleaned(result.stderr)
  const more = output === '' ? {} : { output }
  for (const { when, reason, words, next } of rules) {
    const found = when.exec(text)
    if (!found) continue
    const files = reason === 'dirty' || reason === 'conflict' ? filesIn(text, repository) : []
    const message = `${what}. ${typeof words === 'string' ? words : words(found)}`
    return refuse(reason, message, [...next], { ...more, ...(files.length > 0 ? { files } : {}) })
  }
  const said = mainLines(text)
  return refuse('failed', `${what}.${said ? ` Git says: ${said}` : ' Git did not say why.'}`, ['retry'], more)
}

/** The names that git lists one below the other, behind a tab. */
const filesIn = (text: string, repository: Pick<Repository, 'toPath'> | null): string[] =>
  [...text.matchAll(/^\t(.+)$/gm)]
    .flatMap(([, name = '']) => repository?.toPath(unquoted(name)) ?? [])
    .slice(0, MOST_FILES)

const unquoted = (name: string): string => {
  if (!/^".*"$/.test(name)) return name
  const bytes = name
    .slice(1, -1)
    .replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
      code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : ({ n: '\n', t: '\t' }[code] ?? code),
    )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** A password in an address is nobody's business. */
export const withoutPasswords = (text: string): string => text.replace(/(\w:\/\/)[^\s/@]*@/g, '$1…@')

/** What was printed, without the lines that were drawn over, and without passwords. */
export const cleaned = (text: string): string =>
  withoutPasswords(
    text
      .split('\n')
      .map(line => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, ''))
      .filter(line => !line.startsWith('hint: '))
      .join('\n')
      .trim(),
  ).slice(-20_000)

/** The lines in which git says what went wrong, as one. */
export const mainLines = (text: string): string => {
  const lines = cleaned(text)
    .split('\n')
    .filter(line =>
      /^(fatal|error|remote: (?!Counting|Compressing|Total|Enumerating|\s*$)|ssh:|Permission|Host key)/i.test(line),
    )
  const said = lines.slice(-3).join(' ').slice(0, 600)
  return said.replace(/[\u0000-\u001f\u007f]/g, ' ')
}
