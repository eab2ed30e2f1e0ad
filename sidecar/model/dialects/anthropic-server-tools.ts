/** Tools that ran at Anthropic: what they found, as events; the blocks themselves go back unchanged with the next request. */
import type { ChatEventDraft } from '#contract/chat-event'

interface WireHit {
  type?: string
  url?: string
  title?: string
  page_age?: string | null
  text?: string
  stdout?: string
  stderr?: string
  error_code?: string
  content?: unknown
}
interface ResultBlock {
  readonly type?: string
  readonly tool_use_id?: string
  readonly content?: unknown
}

/** `said` holds the call that this is the result of. */
export function serverToolResult(wire: object, said: readonly object[], index: number): ChatEventDraft[] {
  const { type = '', tool_use_id: id = null, content } = wire as ResultBlock
  const use = said.find(each => 'id' in each && each.id === id)
  const name = use && 'name' in use ? String(use.name) : type.replace(/_tool_result$/, '')
  const hits = (Array.isArray(content) ? content : [content]).filter(
    (hit): hit is WireHit => typeof hit === 'object' && hit !== null,
  )
  const found: ChatEventDraft[] = hits.flatMap(hit =>
    hit.type === 'web_search_result' && hit.url
      ? [
          {
            type: 'SEARCH_RESULT',
            index,
            blockId: id,
            searchResult: { url: hit.url, title: hit.title ?? hit.url, snippet: hit.page_age ?? null },
          },
        ]
      : [],
  )
  const failed = hits.find(hit => hit.error_code)?.error_code
  const result: ChatEventDraft = {
    type: 'SERVER_TOOL_RESULT',
    index,
    blockId: id,
    subType: name,
    text: failed ? `It failed: ${failed}` : hits.map(wordsOf).filter(Boolean).join('\n'),
    failed: failed !== undefined,
    opaque: { blocks: use ? [use, wire] : [wire] },
    rawType: type,
  }
  return [...found, result]
}

const wordsOf = ({ title, url, text, stdout, stderr, content }: WireHit): string =>
  [title, url, text, stdout, stderr, typeof content === 'string' ? content : ''].filter(Boolean).join('\n')
