/** What Gemini's own search found and what of the answer rests on it. It is told at the end, and perhaps again in each chunk. */
import type { ChatEventDraft } from '#contract/chat-event'

interface WireSource {
  uri?: string | null
  title?: string | null
  text?: string | null
}
export interface WireGrounding {
  webSearchQueries?: string[] | null
  groundingChunks?: { web?: WireSource | null; retrievedContext?: WireSource | null; maps?: WireSource | null }[] | null
  groundingSupports?: { segment?: { text?: string | null } | null; groundingChunkIndices?: number[] | null }[] | null
}

/** One for each answer: what was told is not told again. */
export function createGrounding(): (wire: WireGrounding) => ChatEventDraft[] {
  let searched = false
  let found = 0
  let cited = 0
  return ({ webSearchQueries: queries, groundingChunks, groundingSupports }) => {
    const sources = (groundingChunks ?? []).map(
      ({ web, retrievedContext, maps }) => web ?? retrievedContext ?? maps ?? {},
    )
    const supports = groundingSupports ?? []
    const asks = (queries?.length ?? 0) > 0 && !searched
    searched ||= asks
    const results = sources
      .slice(found)
      .flatMap(({ uri, title, text }): ChatEventDraft[] =>
        uri ? [{ type: 'SEARCH_RESULT', searchResult: { url: uri, title: title ?? uri, snippet: text ?? null } }] : [],
      )
    const citations = supports.slice(cited).flatMap(({ segment, groundingChunkIndices }) =>
      (groundingChunkIndices ?? []).map((at): ChatEventDraft => {
        const { uri = null, title = null } = sources[at] ?? {}
        // The segment is a piece of the answer, not of the source.
        return { type: 'CITATION', citation: { url: uri, title, quote: null }, text: segment?.text ?? null }
      }),
    )
    found = Math.max(found, sources.length)
    cited = Math.max(cited, supports.length)
    if (!asks) return [...results, ...citations]
    const name = 'web_search'
    const text = JSON.stringify({ queries })
    const words = sources.map(({ title, uri }) => [title, uri].filter(Boolean).join(' ')).join('\n')
    return [
      { type: 'SERVER_TOOL_START', subType: name, toolCall: { id: null, name, arguments: '' } },
      { type: 'SERVER_TOOL_ARGS_DELTA', text },
      ...results,
      { type: 'SERVER_TOOL_RESULT', subType: name, text: words },
      ...citations,
    ]
  }
}
