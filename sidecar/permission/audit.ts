/**
 * The record of who was allowed what: one line of JSON per decision, answer and violation, in a file per day, readable by the
 * person alone. A disk that fails loses lines of the record and says so in the log; it never holds up a turn.
 */
import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId, WorkspaceId } from '#contract/id'
import { AuditEntry } from '#contract/permission'
import type { Action, Settled } from '../agent/ports.ts'
import { createEmitter, type Emitter } from '../base/emitter.ts'
import type { Log } from '../base/log.ts'

/** UTF-16 units of a subject and of a reason. */
const MOST_CHARS = 2000
const KEPT_DAYS = 180
/** Of all days together; the oldest go first. */
const KEPT_BYTES = 200_000_000

export interface AuditFilter {
  readonly folder?: string | undefined
  readonly sessionId?: SessionId | undefined
  readonly verdict?: AuditEntry['verdict'] | undefined
  readonly kind?: AuditEntry['kind'] | undefined
  readonly tool?: string | undefined
  /** Looked for in subject, reason, rule and tool, whatever its case. */
  readonly query?: string | undefined
  /** Only what is older: ms since 1970. */
  readonly before?: number | undefined
  readonly limit: number
}

export interface Audit {
  record(settled: Settled): void
  recordViolation(violation: {
    at: number
    category: string
    target: string
    command: string
    callId: AuditEntry['callId']
    sessionId: SessionId
    workspaceId: WorkspaceId
    agent: string | null
    mode: AuditEntry['mode']
  }): void
  /** Newest first. Lines that cannot be read are passed over. */
  find(filter: AuditFilter): Promise<{ entries: AuditEntry[]; more: boolean }>
  readonly recorded: Emitter<AuditEntry>
  /** Resolves when everything recorded until now is on disk or was given up. */
  settled(): Promise<void>
}

export function createAudit(options: {
  folder: string
  log: Log
  /** Absolute, for showing; '' for one that is not open any more. */
  folderOf(workspaceId: WorkspaceId): string
  now?: () => number
}): Audit {
  const { folder, log, now = Date.now } = options
  const recorded = createEmitter<AuditEntry>(fault => log('error', 'a listener failed', { fault: String(fault) }))
  let waiting = ''
  let writing: Promise<void> | null = null
  let tidied = false

  const write = async (): Promise<void> => {
    while (waiting !== '') {
      const text = waiting
      waiting = ''
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        await appendFile(join(folder, `${dayOf(now())}.jsonl`), text, { mode: 0o600 })
      } catch (fault) {
        log('warn', 'the record of decisions could not be written', { fault: String(fault) })
      }
    }
    writing = null
    if (tidied) return
    tidied = true
    await tidy(folder, now()).catch(fault => log('warn', 'the record was not tidied', { fault: String(fault) }))
  }

  const add = (entry: AuditEntry): void => {
    waiting += `${JSON.stringify(entry)}\n`
    writing ??= Promise.resolve().then(write)
    recorded.emit(entry)
  }

  return {
    recorded,
    record({ request, authority, kind, verdict, by, rule, reason }) {
      const { sessionId, workspaceId, persona, mode } = authority
      add({
        at: now(),
        kind,
        folder: options.folderOf(workspaceId),
        sessionId,
        callId: request.callId,
        agent: persona?.name ?? null,
        tool: request.tool,
        subject: cut(subjectOf(request.action)),
        verdict,
        by,
        rule: rule === null ? null : cut(rule),
        reason: cut(reason),
        mode,
      })
    },
    recordViolation({ at, category, target, command, callId, sessionId, workspaceId, agent, mode }) {
      add({
        at,
        kind: 'violation',
        folder: options.folderOf(workspaceId),
        sessionId,
        callId,
        agent,
        tool: category,
        subject: cut(target),
        verdict: 'deny',
        by: 'jail',
        rule: null,
        reason: cut(command),
        mode,
      })
    },
    async find(filter) {
      await writing
      const entries: AuditEntry[] = []
      for (const name of (await daysIn(folder)).reverse()) {
        if (filter.before !== undefined && name.slice(0, 10) > dayOf(filter.before)) continue
        const text = await readFile(join(folder, name), 'utf8').catch(() => '')
        for (const line of text.split('\n').reverse()) {
          const entry = entryIn(line)
          if (!entry || !fits(entry, filter)) continue
          if (entries.length === filter.limit) return { entries, more: true }
          entries.push(entry)
        }
      }
      return { entries, more: false }
    },
    async settled() {
      await writing
    },
  }
}

const cut = (text: string): string => (text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text)

/** What it is about: never what is written into a file. */
function subjectOf(action: Action): string {
  if (action.kind === 'command') return action.command
  if (action.kind === 'read' || action.kind === 'write') return action.path
  if (action.kind === 'fetch') return action.url
  if (action.kind === 'network') return `${action.host}:${action.port}`
  return ''
}

function entryIn(line: string): AuditEntry | null {
  if (line === '') return null
  try {
    return AuditEntry.safeParse(JSON.parse(line)).data ?? null
  } catch {
    return null
  }
}

function fits(entry: AuditEntry, { folder, sessionId, verdict, kind, tool, query, before }: AuditFilter): boolean {
  if (folder !== undefined && entry.folder !== folder) return false
  if (sessionId !== undefined && entry.sessionId !== sessionId) return false
  if (verdict !== undefined && entry.verdict !== verdict) return false
  if (kind !== undefined && entry.kind !== kind) return false
  if (tool !== undefined && entry.tool !== tool) return false
  if (before !== undefined && entry.at >= before) return false
  if (query === undefined || query === '') return true
  const { subject, reason, rule, agent } = entry
  return [subject, reason, rule ?? '', agent ?? '', entry.tool].join('\n').toLowerCase().includes(query.toLowerCase())
}

/** In the machine's own clock's days in UTC: only an order is needed. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

const daysIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((): string[] => [])).filter(name => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name)).sort()

async function tidy(folder: string, now: number): Promise<void> {
  const oldest = dayOf(now - KEPT_DAYS * 86_400_000)
  let bytes = 0
  for (const name of (await daysIn(folder)).reverse()) {
    bytes += (await stat(join(folder, name))).size
    const today = name.startsWith(dayOf(now))
    if (!today && (bytes > KEPT_BYTES || name.slice(0, 10) < oldest)) await rm(join(folder, name), { force: true })
  }
}
