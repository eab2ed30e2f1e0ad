/**
 * What a model is told: the path root..head and nothing else, in the same bytes every time. From one step to the next the
 * list only grows at its end, so that a provider's cache holds.
 */
import type { BlobId } from '#contract/id'
import type { Attachment } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { CompactionItem, Item, MessageItem, ToolItem, Turn } from '#contract/session-state'
import { type AssistantPart, ATTACHED_MARK, type InputFile, type ModelMessage, NOTE_MARK } from './ports.ts'
import { wrapped } from './rare-tools.ts'

type ReadBlob = (id: BlobId) => Promise<Uint8Array | null>
type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type Result = Extract<ModelMessage, { role: 'tool' }>
/** What one model call made, so far. */
type Open = { key: string; assistant: Assistant; results: Result[] }

/** Characters of one attached text that travel; and of arguments that are no JSON object. */
const ATTACHED_TEXT_CHARS = 200_000
const BROKEN_ARGUMENT_CHARS = 2000
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** Pure but for reading blobs. */
export async function historyOf(state: SessionState, readBlob: ReadBlob): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = []
  let turn: Turn | undefined
  const group: { open: Open | null } = { open: null }
  const close = () => {
    if (group.open) messages.push(group.open.assistant, ...group.open.results)
    group.open = null
  }
  for (const item of pathOf(state)) {
    if (item.kind === 'compaction') {
      close()
      messages.push({ role: 'user', text: compacted(item), images: [] })
      continue
    }
    if (item.kind === 'message' && item.role === 'user') {
      close()
      const begins = turn?.turnId !== item.turnId
      const before = begins ? endedOddly(turn) : null
      const note = begins ? state.turns.get(item.turnId)?.note : undefined
      messages.push(await userMessage(item, [before, note, item.note], readBlob))
    } else {
      const own = state.turns.get(item.turnId)
      if (own?.after !== undefined && own.after === item.parentId) {
        close()
        goOn(messages, own, turn)
      }
      const key = stepKey(item, group.open)
      if (group.open?.key !== key) close()
      const open = group.open ?? { key, assistant: { role: 'assistant', parts: [] }, results: [] }
      group.open = open
      const part = partOf(item)
      if (part) open.assistant.parts.push(part)
      if (item.kind === 'tool' && !item.server) open.results.push(resultOf(item))
    }
    turn = state.turns.get(item.turnId) ?? turn
  }
  close()
  const next = state.facts.running === null ? undefined : state.turns.get(state.facts.running)
  if (next?.after !== undefined && next.after === state.facts.head) goOn(messages, next, turn)
  return messages.filter(message => message.role !== 'assistant' || message.parts.length > 0)
}

/** A turn without words of its own begins here: told where it does not answer somebody's words, and with its note in any case. */
function goOn(messages: ModelMessage[], { note }: Turn, before: Turn | undefined): void {
  const last = messages.at(-1)
  const answers = last?.role === 'user'
  const lines = [
    ...(answers ? [] : [`${WHY_BROKEN_OFF[before?.outcome ?? 'done']} Go on from there.`]),
    ...(note ? [note] : []),
  ]
  if (lines.length === 0) return
  const told = lines.map(line => `${NOTE_MARK}${line}]`).join('\n\n')
  if (answers) messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${told}` }
  else messages.push({ role: 'user', text: told, images: [] })
}

const WHY_BROKEN_OFF: Record<NonNullable<Turn['outcome']>, string> = {
  done: 'the turn before ended here.',
  stopped: 'the person stopped the turn here.',
  lost: 'the program ended in the middle of the turn.',
  limit: 'the turn reached its limit of model calls here.',
  error: 'the turn was cut off here by an error of the model service.',
}

/** The notes that the history holds, oldest first: what was compacted or rewound is told no more. */
export function notesOf(state: SessionState): string[] {
  const begins = (item: Item) =>
    (item.kind === 'message' && item.role === 'user') || state.turns.get(item.turnId)?.after === item.parentId
  const told = new Set(pathOf(state).flatMap(item => (begins(item) ? item.turnId : [])))
  return [...told].flatMap(id => state.turns.get(id)?.note ?? [])
}

/** Ids of the advice that came with results the model still has before it. */
export function adviceIn(state: SessionState): Set<string> {
  const ids = pathOf(state).flatMap(item => {
    const told = item.kind === 'tool' && item.state === 'done' ? item.detail.advice : null
    return Array.isArray(told) ? told.map(each => String((each as { id?: unknown } | null)?.id)) : []
  })
  return new Set(ids)
}

/** From the last compaction on: its summary stands for what it covers, the rest of the path follows. */
function pathOf(state: SessionState): Item[] {
  const items = state.path.flatMap(id => state.items.get(id) ?? [])
  const last = items.findLast(item => item.kind === 'compaction')
  if (last?.kind !== 'compaction') return items
  const covered = items.findIndex(item => item.id === last.toItemId)
  return [last, ...items.slice(covered + 1).filter(item => item.kind !== 'compaction')]
}

/** One model call is one assistant message. Records without a step: whatever follows a tool begins the next. */
function stepKey(item: Item, open: Open | null): string {
  if (item.kind !== 'compaction' && item.step !== undefined) return `${item.turnId} ${item.step}`
  return open && (open.results.length === 0 || item.kind === 'tool') ? open.key : `${item.id}`
}

function partOf(item: Exclude<Item, CompactionItem>): AssistantPart | null {
  if (item.kind === 'tool' && item.server)
    return { kind: 'server', tool: item.tool, text: item.preview?.text ?? '', opaque: item.opaque ?? null }
  if (item.kind === 'tool') {
    const { callId, tool, via } = item
    const text = wellFormed(item.arguments)
    return {
      kind: 'call',
      callId,
      ...(via ? { tool: via, arguments: wrapped(tool, text) } : { tool, arguments: text }),
    }
  }
  if (item.kind === 'reasoning')
    return { kind: 'reasoning', text: item.text, redacted: item.redacted, opaque: item.opaque }
  if (item.text.trim() === '') return null
  return { kind: 'text', text: item.text, ...(item.opaque ? { opaque: item.opaque } : {}) }
}

/** Providers take only a JSON object back; what the model really sent stays readable inside one. */
function wellFormed(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text
  } catch {
    // Told below.
  }
  return text.trim() === '' ? '{}' : JSON.stringify({ not_valid: text.slice(0, BROKEN_ARGUMENT_CHARS) })
}

function resultOf(item: ToolItem): Result {
  const text = item.preview?.text || (stateWords[item.state] ?? '(no output)')
  return {
    role: 'tool',
    callId: item.callId,
    tool: item.via ?? item.tool,
    text,
    failed: item.state !== 'done',
  }
}

const stateWords: Partial<Record<ToolItem['state'], string>> = {
  requested: 'This call was not run.',
  running: 'This call had not ended when the history was read.',
  lost: 'Belay ended while this was running. It may have run, wholly or in part: look at the state of things before you repeat it.',
}

const compacted = (item: CompactionItem): string =>
  `The conversation so far was longer than fits. This is what it came to:\n\n${item.summary}`

function endedOddly(turn: Turn | undefined): string | null {
  if (turn?.outcome === 'stopped') return 'the person stopped the turn before this message.'
  if (turn?.outcome === 'lost') return 'the program ended in the middle of the turn before this message.'
  if (turn?.outcome === 'limit') return 'the turn before this message reached its limit of model calls.'
  if (turn?.outcome === 'error') return 'the turn before this message was cut off by an error of the model service.'
  return null
}

async function userMessage(
  item: MessageItem,
  told: readonly (string | null | undefined)[],
  readBlob: ReadBlob,
): Promise<ModelMessage> {
  const words = item.origin === 'steer' ? `While you are working, the person adds:\n${item.text}` : item.text
  const images: InputFile[] = []
  const files: InputFile[] = []
  const attached: string[] = []
  for (const attachment of item.attachments) {
    const bytes = attachment.blobId ? await readBlob(attachment.blobId) : null
    if (bytes && attachment.kind === 'image' && imageTypes.has(attachment.mediaType)) {
      images.push({ mediaType: attachment.mediaType, base64: Buffer.from(bytes).toString('base64') })
    } else if (bytes && attachment.mediaType === 'application/pdf') {
      const { mediaType, name } = attachment
      files.push({ mediaType, name, base64: Buffer.from(bytes).toString('base64') })
    } else attached.push(attachedWords(attachment, bytes))
  }
  const notes = told.flatMap(line => (line ? [`${NOTE_MARK}${line}]`] : []))
  const text = [words, ...attached, ...notes].filter(Boolean).join('\n\n')
  return { role: 'user', text, images, ...(files.length > 0 ? { files } : {}) }
}

function attachedWords(attachment: Attachment, bytes: Uint8Array | null): string {
  const { name, kind, mediaType } = attachment
  const say = (what: string) => `${ATTACHED_MARK}${what}]`
  if (attachment.path) return say(attachment.path.path || '.')
  if (!attachment.blobId) return say(name)
  if (!bytes) return say(`${name} (its content is no longer kept)`)
  if (kind !== 'text') return say(`${name} (${mediaType}, ${bytes.length} bytes; its content cannot be shown here)`)
  const text = Buffer.from(bytes).toString('utf8')
  const cut =
    text.length > ATTACHED_TEXT_CHARS ? `\n[${text.length - ATTACHED_TEXT_CHARS} more characters left out]` : ''
  return `${say(name)}\n\`\`\`\n${text.slice(0, ATTACHED_TEXT_CHARS)}${cut}\n\`\`\``
}
