/**
 * A conversation as Markdown, for people: what was asked, answered and done, as it stands on the branch that is shown. Promise:
 * whatever stands in it, no text gets out of the place that it was put in, so nothing of the document is lost or forged by it.
 */
import { setImmediate as turn } from 'node:timers/promises'
import type { SessionState } from '#contract/session-fold'
import type { Item, MessageItem, ToolItem, Turn } from '#contract/session-state'

/** Characters of a call's output; the rest is in the log. */
const MOST_OUTPUT = 4000
const MOST_ARGUMENTS = 2000
/** Items written before other work gets its turn. */
const SLICE = 500

/** As it stands at the call; gives way to other work in between. */
export async function markdownOf(state: SessionState, title: string): Promise<string> {
  const { facts, turns } = state
  const items = state.path.flatMap(id => state.items.get(id) ?? [])
  const models = [...new Set([...turns.values()].map(({ producer }) => producer.model))]
  const about = [
    `Folder: ${code(facts.roots.join(', '))}`,
    ...(models.length > 0 ? [`Model: ${models.map(code).join(', ')}`] : []),
    `Turns: ${new Set(items.map(item => item.turnId)).size}`,
    ...(facts.cost === null ? [] : [`Cost: $${facts.cost.toFixed(4)}`]),
    ...(facts.forkedFrom ? ['A branch of another conversation'] : []),
    ...(facts.imported ? [`Imported from ${code(facts.imported.fileName)}`] : []),
  ]
  const parts = [`# ${line(title)}`, about.map(each => `- ${each}`).join('\n')]
  let turnId: Item['turnId'] | null = null
  const close = () => {
    const last = turnId && turns.get(turnId)
    const end = last && endOf(last)
    if (end) parts.push(end)
  }
  for (const [index, item] of items.entries()) {
    if (index % SLICE === SLICE - 1) await turn()
    if (item.turnId !== turnId) close()
    turnId = item.turnId
    const part = partOf(item)
    if (part !== null) parts.push(part)
  }
  close()
  return `${parts.join('\n\n')}\n`
}

function partOf(item: Item): string | null {
  if (item.kind === 'message') return item.role === 'user' ? asked(item) : answered(item)
  if (item.kind === 'tool') return done(item)
  if (item.kind === 'compaction')
    return `*What was said before was summarised for the model:*\n\n${quote(item.summary)}`
  return null
}

function asked({ text, attachments, origin, at }: MessageItem): string {
  const how = origin === 'steer' ? ' (while it worked)' : ''
  const files = attachments.map(({ name, bytes }) => `- Attached: ${code(name)}${bytes > 0 ? ` (${bytes} bytes)` : ''}`)
  return [`## You, ${timeOf(at)}${how}`, text.trim() === '' ? '' : quote(text), files.join('\n')]
    .filter(Boolean)
    .join('\n\n')
}

const answered = ({ text }: MessageItem): string | null => (text.trim() === '' ? null : contained(text))

function done({
  tool,
  state,
  started,
  arguments: asked,
  preview,
  files,
  durationMs,
  detail,
  subagents,
}: ToolItem): string {
  const facts = [
    OUTCOMES[state],
    ...(typeof detail.exitCode === 'number' ? [`exit code ${detail.exitCode}`] : []),
    ...(durationMs > 0 ? [`${(durationMs / 1000).toFixed(1)} s`] : []),
  ]
  const args = started === undefined ? asked : JSON.stringify(started)
  const said = preview && preview.text !== '' ? [fenced(cut(preview.text, MOST_OUTPUT))] : []
  const wrote = files.map(({ path, added, removed, before, after }) => {
    const what = before === null ? 'created' : after === null ? 'removed' : 'changed'
    return `- ${what} ${code(path.path)} +${added} −${removed}`
  })
  const helpers = (subagents ?? []).map(({ agent, description }) => `- ${code(agent)}: ${line(description)}`)
  return [
    `**${line(tool)}** ${code(cut(args, MOST_ARGUMENTS))}: ${facts.join(', ')}`,
    ...(helpers.length > 0 ? [helpers.join('\n')] : []),
    ...said,
    ...(wrote.length > 0 ? [wrote.join('\n')] : []),
  ].join('\n\n')
}

const OUTCOMES: Record<ToolItem['state'], string> = {
  requested: 'not begun',
  running: 'running',
  done: 'done',
  failed: 'failed',
  denied: 'not allowed',
  stopped: 'stopped',
  lost: 'lost: it may have run',
}

function endOf({ outcome, error }: Turn): string | null {
  if (outcome === null || outcome === 'done') return null
  return `*This turn ended early (${outcome}).${error ? ` ${line(error.message)}` : ''}*`
}

const timeOf = (at: number): string =>
  Number.isFinite(new Date(at).getTime()) ? `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` : ''

function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most
  return `${text.slice(0, end)}\n… (${text.length - end} more characters)`
}

/** On one line, and no markup. */
const line = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~]/g, each => `\\${each}`)

/** A run of code that no backtick in it can end. */
function code(text: string): string {
  const flat = text.replace(/\s+/g, ' ')
  const ticks = '`'.repeat(longest(flat, /`+/g) + 1)
  const pad = flat.startsWith('`') || flat.endsWith('`') || flat.trim() === '' ? ' ' : ''
  return `${ticks}${pad}${flat}${pad}${ticks}`
}

/** A block of code that no line in it can end. */
function fenced(text: string): string {
  const fence = '`'.repeat(Math.max(3, longest(text, /`+/g) + 1))
  return `${fence}text\n${text.replace(/\r\n?/g, '\n')}\n${fence}`
}

const longest = (text: string, run: RegExp): number =>
  [...text.matchAll(run)].reduce((most, [each]) => Math.max(most, each.length), 0)

/** Whatever begins in a quote ends with it. */
const quote = (text: string): string =>
  text
    .split(/\r\n?|\n/)
    .map(each => `> ${each}`)
    .join('\n')

const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/
/** HTML that goes on over blank lines, until its own end. */
const OPEN_ENDED = /^( {0,3})<(?=script|pre|style|textarea|!|\?)/i

const lowered = (heading: string): string =>
  heading.replace(
    /^( {0,3})(#{1,6})(?=[ \t]|$)/,
    (_, space: string, marks: string) => space + `###${marks}`.slice(0, 6),
  )

/** Markdown of somebody else's: its headings below ours, and what it leaves open closed. */
function contained(text: string): string {
  let open: { mark: string; length: number } | null = null
  let before = ''
  const lines = text.split(/\r\n?|\n/).map(each => {
    const [, run = '', rest = ''] = FENCE.exec(each) ?? []
    const above = before
    before = open || run !== '' ? '' : each.trim()
    if (open) {
      if (run.startsWith(open.mark) && run.length >= open.length && rest.trim() === '') open = null
      return each
    }
    if (run !== '') {
      open = { mark: run.charAt(0), length: run.length }
      return each
    }
    if (above !== '' && /^ {0,3}(?:=+|-+)\s*$/.test(each)) return each.replace(/[=-]/, '\\$&')
    return lowered(each.replace(OPEN_ENDED, '$1\\<'))
  })
  const left = open as { mark: string; length: number } | null
  return [...lines, ...(left ? [left.mark.repeat(left.length)] : [])].join('\n')
}
