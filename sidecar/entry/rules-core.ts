/** What `belay rules` asks: a core of its own, made for the one question and ended after it. */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createChildLedger, ledgerFile } from '../base/child-ledger.ts'
import { foldersOf } from '../base/folders.ts'
import { createLog } from '../base/log.ts'
import { createCore } from '../core.ts'
import { openInstance } from '../supervise/instance.ts'
import { openProfile } from '../supervise/profile/open-profile.ts'
import type { RulesArguments } from './rules-arguments.ts'
import { version } from './version.ts'

interface Rules {
  list(): Promise<string>
  explain(subject: string): Promise<{ text: string; verdict: 'allow' | 'ask' | 'deny'; raw: unknown }>
}

/** Throws for a folder that is none. When it answers, everything has ended. */
export async function withRules<T>(
  { cwd, mode, tool, json }: RulesArguments,
  use: (rules: Rules) => Promise<T>,
): Promise<T> {
  const folder = resolve(cwd)
  const facts = await stat(folder).catch(() => null)
  if (!facts?.isDirectory()) throw new Error(`rules: ${folder} is no folder.`)
  const folders = foldersOf()
  const log = createLog('rules')
  await openProfile(folders, version)
  const instance = await openInstance({ stateDir: folders.state, kind: 'run', version })
  const ledger = createChildLedger(ledgerFile(folders.state, instance.id, 'run'))
  const core = await createCore({
    folders,
    log,
    instanceId: instance.id,
    epoch: randomBytes(8).toString('hex'),
    version,
    env: process.env,
    supervisor: null,
    ticketKey: randomBytes(32),
    ledger,
  })
  try {
    const { workspaceId } = await core.openFolder(folder)
    const { permission } = core.service.handlers
    const nobody = { clientId: 'rules', signal: new AbortController().signal }
    return await use({
      async list() {
        const { rules, problems } = await permission.rules({ workspaceId }, nobody)
        if (json) return `${JSON.stringify({ rules, problems })}\n`
        return `${[...problems.map(inWords), ...rules.map(lineInWords)].join('\n')}\n`
      },
      async explain(subject) {
        const raw = await permission.explain({ workspaceId, mode, tool, subject }, nobody)
        return { raw, verdict: raw.verdict, text: `${explanation(raw).join('\n')}\n` }
      },
    })
  } finally {
    await core.dispose()
    await ledger.idle()
    await instance.close()
  }
}

type Line = { text: string; file: string | null; line?: number | null; inert?: string | null }
const where = ({ file, line }: Line): string => (file === null ? '' : `  ${file}${line ? `:${line}` : ''}`)
const lineInWords = (each: Line): string => {
  const inert = each.inert ? `\n    no effect: ${each.inert}` : ''
  return `${visible(each.text)}${where(each)}${inert}`
}
const inWords = ({
  file,
  line,
  message,
  text,
}: {
  file: string
  line: number | null
  message: string
  text: string
}): string => `PROBLEM  ${file}${line ? `:${line}` : ''}: ${message}${text ? `\n    ${visible(text)}` : ''}`

interface Explained {
  verdict: string
  reason: string
  rule: string | null
  firm: boolean
  parts: readonly { text: string; kind: string; verdict: string; reason: string; rule: string | null }[]
}

function explanation({ verdict, reason, rule, firm, parts }: Explained): string[] {
  const head = `${verdict}${firm ? ', by a person alone' : ''}: ${visible(reason)}${rule ? `  (${visible(rule)})` : ''}`
  const lines = parts.map(part => {
    const by = part.rule ? `  (${visible(part.rule)})` : ''
    return `  ${part.verdict.padEnd(5)}  ${part.kind.padEnd(10)}  ${visible(part.text)}\n         ${visible(part.reason)}${by}`
  })
  return [head, ...lines]
}

/** Text of others: nothing in it moves the cursor or hides what stands there. */
const hidden = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g
const visible = (text: string): string =>
  text.replace(hidden, char => (char === '\n' ? '⏎' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`))
