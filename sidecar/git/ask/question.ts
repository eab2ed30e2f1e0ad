/** Reads what git and ssh ask: what it is about and which server gets the answer. The words may hold anything. Pure. */
import type { GitAsk } from '#contract/git'
import { visibleText } from '../../base/foreign-text.ts'

export type Question = Pick<GitAsk, 'kind' | 'host' | 'of' | 'question' | 'secret'>

const MOST_CHARS = 4000

export function readQuestion(prompt: string): Question {
  const question = visibleText(prompt.trim()).slice(0, MOST_CHARS)
  const of = (kind: Question['kind'], facts: Partial<Question>): Question => ({
    ...{
      kind,
      host: null,
      of: null,
      question,
      secret: kind === 'password' || kind === 'passphrase' || kind === 'other',
    },
    ...facts,
  })
  const [, asked, address = ''] = /^(Username|Password) for '(.*)': ?$/s.exec(prompt) ?? []
  if (asked) {
    const { host, user } = placeOf(address)
    return of(asked === 'Username' ? 'user' : 'password', { host, of: user })
  }
  const [, key] = /^Enter passphrase for (?:key )?(.+?):? *$/s.exec(prompt) ?? []
  if (key) return of('passphrase', { of: visibleText(key.replace(/^['"]|['"]$/g, '')) })
  const [, user, host] = /^(?:\(.*\) )?([^\s@]+)@([^\s@]+)'s password: *$/s.exec(prompt) ?? []
  if (user && host) return of('password', { host, of: visibleText(user) })
  const [, unknown] = /^The authenticity of host '([^\s']+)/.exec(prompt) ?? []
  if (unknown) return of('hostKey', { host: unknown })
  return of('other', {})
}

/** As the address is understood by whoever connects, so that nothing that only looks like a server is shown as one. */
function placeOf(address: string): { host: string | null; user: string | null } {
  try {
    const { host, username } = new URL(address)
    return { host: host === '' ? null : host, user: username === '' ? null : visibleText(decodeURIComponent(username)) }
  } catch {
    return { host: null, user: null }
  }
}
