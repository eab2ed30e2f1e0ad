/**
 * What a model is told: the path root..head and nothing else, in the same bytes every time. From one step to the next the
 * list only grows at its end, so that a provider's cache holds.
 */
import type { BlobId, ItemId } from '#contract/id'
import type { Attachment } from '#contract/session-event'
import type { SessionState } from '#contract/session-fold'
import type { CompactionItem, Item, MessageItem, ToolItem, Turn } from '#contract/session-state'
import { beginsWith, behindCompactions, endedOddly, turnBefore, whyBrokenOff } from './beginnings.ts'
import { type AssistantPart, ATTACHED_MARK, type InputFile, type ModelMessage, NOTE_MARK } from './ports.ts'
import { wrapped } from './rare-tools.ts'
import { type Standing, standingOf } from './standing.ts'
import { clearedWords, middleCut, summaryNote } from './told-less.ts'

type ReadBlob = (id: BlobId) => Promise<Uint8Array | null>
type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type Result = Extract<ModelMessage, { role: 'tool' }>
/** What one model call made, so far. */
type Open = { key: string; assistant: Assistant; results: { message: Result; items: ItemId[] }[]; ids: ItemId[] }

/** Characters of one attached text that travel; and of arguments that are no JSON object. */
const ATTACHED_TEXT_CHARS = 200_000
const BROKEN_ARGUMENT_CHARS = 2000
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** A message of the history, with the items that it is made of. */
export interface Told {
  readonly message: ModelMessage
  readonly items: readonly ItemId[]
}

/** Pure but for reading blobs. */
export const historyOf = async (state: SessionState, readBlob: ReadBlob): Promise<ModelMessage[]> =>
  (await toldOf(state, readBlob)).map(({ message }) => message)

/** The history with where it comes from. Pure but for reading blobs. */
export async function toldOf(state: SessionState, readBlob: ReadBlob): Promise<Told[]> {
  const standing = standingOf(state)
  const told: Told[] = []
  const group: { open: Open | null } = { open: null }
  const close = () => {
    const { open } = group
    group.open = null
    if (!open || open.assistant.parts.length === 0) return
    told.push({ message: open.assistant, items: open.ids })
    for (const result of open.results) told.push(result)
  }
  for (const item of standing.items) {
    if (item.kind === 'compaction') {
      close()
      withSummary(told, item)
    } else if (item.kind === 'message' && item.role === 'user') {
      close()
      const before = turnBefore(state, item)
      const begins = before?.turnId !== item.turnId
      const notes = begins ? [endedOddly(before), state.turns.get(item.turnId)?.note] : []
      told.push({
        message: await userMessage(item, [...notes, item.note], { readBlob, mostChars: standing.mostChars(item.id) }),
        items: [item.id],
      })
    } else {
      const own = state.turns.get(item.turnId)
      if (own && beginsWith(state, item, own)) {
        close()
        goOn(told, own, turnBefore(state, item))
      }
      const key = stepKey(item, group.open)
      if (group.open?.key !== key) close()
      const open = group.open ?? { key, assistant: { role: 'assistant', parts: [] }, results: [], ids: [] }
      group.open = open
      open.ids.push(item.id)
      const part = partOf(item)
      if (part) open.assistant.parts.push(part)
      if (item.kind === 'tool' && !item.server) open.results.push(resultOf(item, standing))
    }
  }
  close()
  const next = state.facts.running === null ? undefined : state.turns.get(state.facts.running)
  const head = behindCompactions(state, state.facts.head)
  if (next?.after !== undefined && next.after === head?.id) goOn(told, next, head && state.turns.get(head.turnId))
  return told
}

/** A turn without words of its own begins here: told where it does not answer somebody's words, and with its note in any case. */
function goOn(told: Told[], { note }: Turn, before: Turn | undefined): void {
  const last = told.at(-1)
  const answers = last?.message.role === 'user'
  const lines = [...(answers ? [] : [`${whyBrokenOff(before)} Go on from there.`]), ...(note ? [note] : [])]
  if (lines.length > 0) addNote(told, lines.map(line => `${NOTE_MARK}${line}]`).join('\n\n'), [])
}

/** Behind the first request, as a note: no words of a person, and no turn of its own. */
const withSummary = (told: Told[], item: CompactionItem): void => addNote(told, summaryNote(item), [item.toItemId])

/** Behind the words of a person that come last, else as a message of its own. */
function addNote(told: Told[], words: string, items: readonly ItemId[]): void {
  const last = told.at(-1)
  if (last?.message.role !== 'user') told.push({ message: { role: 'user', text: words, images: [] }, items })
  else told[told.length - 1] = { ...last, message: { ...last.message, text: `${last.message.text}\n\n${words}` } }
}

/** The notes that the history holds, oldest first: what was compacted or rewound is told no more. */
export function notesOf(state: SessionState): string[] {
  const begins = (item: Item) => {
    const own = state.turns.get(item.turnId)
    return (item.kind === 'message' && item.role === 'user') || (own !== undefined && beginsWith(state, item, own))
  }
  const told = new Set(standingOf(state).items.flatMap(item => (begins(item) ? item.turnId : [])))
  return [...told].flatMap(id => state.turns.get(id)?.note ?? [])
}

/** Ids of the advice that came with results the model still has before it. */
export function adviceIn(state: SessionState): Set<string> {
  const standing = standingOf(state)
  const ids = standing.items.flatMap(item => {
    const whole = !standing.isCleared(item.id) && standing.mostChars(item.id) === null
    const told = item.kind === 'tool' && item.state === 'done' && whole ? item.detail.advice : null
    return Array.isArray(told) ? told.map(each => String((each as { id?: unknown } | null)?.id)) : []
  })
  return new Set(ids)
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

function resultOf(item: ToolItem, standing: Standing): { message: Result; items: ItemId[] } {
  const text = item.preview?.text || (stateWords[item.state] ?? '(no output)')
  const most = standing.mostChars(item.id)
  const message: Result = {
    role: 'tool',
    callId: item.callId,
    tool: item.via ?? item.tool,
    text: standing.isCleared(item.id) ? clearedWords(item) : most === null ? text : middleCut(text, most),
    failed: item.state !== 'done',
  }
  return { message, items: [item.id] }
}

const stateWords: Partial<Record<ToolItem['state'], string>> = {
  requested: 'This call was not run.',
  running: 'This call had not ended when the history was read.',
  lost: 'Belay ended while this was running. It may have run, wholly or in part: look at the state of things before you repeat it.',
}

async function userMessage(
  item: MessageItem,
  told: readonly (string | null | undefined)[],
  { readBlob, mostChars }: { readBlob: ReadBlob; mostChars: number | null },
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
    } else attached.push(attachedWords(attachment, bytes, mostChars ?? ATTACHED_TEXT_CHARS))
  }
  const notes = told.flatMap(line => (line ? [`${NOTE_MARK}${line}]`] : []))
  const text = [words, ...attached, ...notes].filter(Boolean).join('\n\n')
  return { role: 'user', text, images, ...(files.length > 0 ? { files } : {}) }
}

function attachedWords(attachment: Attachment, bytes: Uint8Array | null, most: number): string {
  const { name, kind, mediaType } = attachment
  const say = (what: string) => `${ATTACHED_MARK}${what}]`
  if (attachment.path) return say(attachment.path.path || '.')
  if (!attachment.blobId) return say(name)
  if (!bytes) return say(`${name} (its content is no longer kept)`)
  if (kind !== 'text') return say(`${name} (${mediaType}, ${bytes.length} bytes; its content cannot be shown here)`)
  const text = Buffer.from(bytes).toString('utf8')
  const cut = text.length > most ? `\n[${text.length - most} more characters left out]` : ''
  return `${say(name)}\n\`\`\`\n${text.slice(0, most)}${cut}\n\`\`\``
}
