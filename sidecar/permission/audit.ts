/**
 * The record of what was decided: one line of JSON each, in a file per month that only its owner may read. A disk that fails
 * never holds up a turn, and no line holds what is in a file, nor what looks like a key.
 */
import { appendFile, chmod, mkdir, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AuditEntry } from '#contract/permission'
import { type Log, withoutSecrets } from '../base/log.ts'
import { createSerial } from '../base/serial.ts'

export interface Audit {
  /** At once told to `recorded`; on disk soon after. */
  add(entry: AuditEntry): void
  /** Newest first. */
  find(wanted: AuditQuery): Promise<{ entries: AuditEntry[]; more: boolean }>
  /** Resolves when what was added is on disk, or could not be. */
  settled(): Promise<void>
}

export interface AuditQuery {
  readonly folder?: string | undefined
  readonly sessionId?: string | undefined
  readonly verdict?: string | undefined
  readonly kind?: string | undefined
  readonly tool?: string | undefined
  readonly query?: string | undefined
  readonly before?: number | undefined
  readonly limit: number
}

const MAX_SUBJECT = 2000
const MAX_TEXT = 4000
const MAX_FILE_BYTES = 16_000_000
const MAX_TOTAL_BYTES = 64_000_000
const MAX_MONTHS = 12
const MAX_WAITING = 10_000

export function createAudit(options: { folder: string; log: Log; recorded: (entry: AuditEntry) => void }): Audit {
  const { folder, log } = options
  const serial = createSerial()
  let waiting: AuditEntry[] = []
  let pruned = ''
  let writing: Promise<void> = Promise.resolve()

  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    if (batch.length === 0) return
    const month = new Date(batch.at(-1)?.at ?? Date.now()).toISOString().slice(0, 7)
    const file = join(folder, `${month}.jsonl`)
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await turnOver(file)
      await appendFile(file, batch.map(entry => `${JSON.stringify(entry)}\n`).join(''), { mode: 0o600 })
      await chmod(file, 0o600)
      if (pruned !== month) {
        pruned = month
        await prune(folder)
      }
    } catch (fault) {
      log('warn', 'decisions could not be recorded', { fault: String(fault), entries: batch.length })
    }
  }

  return {
    add(entry) {
      const safe = withoutContents(entry)
      options.recorded(safe)
      if (waiting.length >= MAX_WAITING) return
      waiting.push(safe)
      if (waiting.length === 1) writing = serial(flush)
    },
    async find(wanted) {
      await this.settled()
      const entries: AuditEntry[] = []
      for (const name of (await files(folder)).reverse()) {
        if (wanted.before !== undefined && name.slice(0, 7) > new Date(wanted.before).toISOString().slice(0, 7))
          continue
        const text = await readFile(join(folder, name), 'utf8').catch(() => '')
        const found = text.split('\n').flatMap(line => entryOf(line, wanted))
        // Of two at the same moment the later line is the newer one.
        entries.push(...found.reverse().sort((a, b) => b.at - a.at))
        if (entries.length > wanted.limit) return { entries: entries.slice(0, wanted.limit), more: true }
      }
      return { entries, more: false }
    },
    settled: () => writing,
  }
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)
/** Addresses carry names and passwords, headers and variables keys. */
const masked = (text: string): string =>
  withoutSecrets(text)
    .replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, '$1[hidden]@')
    .replace(/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abpr]-|AKIA|ASIA|AIza)[\w-]{10,}/g, '[hidden]')
    .replace(/\b(\w*(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD)\w*)=("[^"]*"|'[^']*'|[^\s'"]+)/gi, '$1=[hidden]')
    .replace(/(\bauthorization:\s*)[^"'\s]+(?:\s+[^"'\s]+)?/gi, '$1[hidden]')

const withoutContents = (entry: AuditEntry): AuditEntry => ({
  ...entry,
  subject: cut(masked(entry.subject), MAX_SUBJECT),
  reason: cut(masked(entry.reason), MAX_TEXT),
  rule: entry.rule === null ? null : cut(masked(entry.rule), MAX_TEXT),
})

/** A line that was cut short by a crash, or is of another version, is left out. */
function entryOf(line: string, wanted: AuditQuery): AuditEntry[] {
  // Most lines are not wanted: a look at the text first costs less than reading it.
  if (line === '' || (wanted.sessionId !== undefined && !line.includes(wanted.sessionId))) return []
  let entry: AuditEntry
  try {
    entry = AuditEntry.parse(JSON.parse(line))
  } catch {
    return []
  }
  const { folder, sessionId, verdict, kind, tool, query, before } = wanted
  const text = query?.toLowerCase()
  const fits =
    (before === undefined || entry.at < before) &&
    (folder === undefined || entry.folder === folder) &&
    (sessionId === undefined || entry.sessionId === sessionId) &&
    (verdict === undefined || entry.verdict === verdict) &&
    (kind === undefined || entry.kind === kind) &&
    (tool === undefined || entry.tool === tool) &&
    (text === undefined ||
      [entry.subject, entry.reason, entry.rule ?? '', entry.tool].some(each => each.toLowerCase().includes(text)))
  return fits ? [entry] : []
}

/** Oldest first. */
const files = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(() => [])).filter(name => /^\d{4}-\d{2}(?:\.\d+)?\.jsonl$/.test(name)).sort(byAge)

/** A month's parts are older than what is still written to. */
const byAge = (a: string, b: string): number => {
  const order = (name: string): string => {
    const [month = '', part] = name.replace(/\.jsonl$/, '').split('.')
    return `${month} ${part === undefined ? 'z' : part.padStart(6, '0')}`
  }
  return order(a) < order(b) ? -1 : 1
}

async function turnOver(file: string): Promise<void> {
  const facts = await stat(file).catch(() => null)
  if (!facts || facts.size < MAX_FILE_BYTES) return
  await rename(file, file.replace(/\.jsonl$/, `.${Math.floor(Date.now() / 1000) % 1_000_000}.jsonl`))
  await prune(dirname(file))
}

async function prune(folder: string): Promise<void> {
  const names = await files(folder)
  const oldest = new Date()
  oldest.setUTCMonth(oldest.getUTCMonth() - MAX_MONTHS)
  const limit = oldest.toISOString().slice(0, 7)
  let total = 0
  for (const name of names.reverse()) {
    const path = join(folder, name)
    total += (await stat(path).catch(() => null))?.size ?? 0
    if (name.slice(0, 7) < limit || total > MAX_TOTAL_BYTES) await unlink(path).catch(() => {})
  }
}
