/** Tools that ran at OpenAI: what each item says of its call and of what came of it. */
import type { ChatCitation, ChatEventDraft, ChatMedia } from '#contract/chat-event'

export interface WireAnnotation {
  type?: string
  url?: string
  title?: string
  filename?: string
}
interface WirePart {
  type?: string
  text?: string
  refusal?: string
  annotations?: WireAnnotation[] | null
}
/** Of every kind of item, what we read of it. */
export interface WireItem {
  type?: string
  id?: string
  call_id?: string | null
  name?: string
  arguments?: string
  phase?: string | null
  content?: WirePart[] | null
  summary?: WirePart[]
  encrypted_content?: string | null
  status?: string
  /** web_search_call */
  action?: {
    type?: string
    query?: string
    queries?: string[]
    url?: string | null
    pattern?: string | null
    sources?: { url?: string }[] | null
  }
  /** file_search_call */
  queries?: string[]
  results?: { filename?: string; file_id?: string; text?: string }[] | null
  /** code_interpreter_call */
  code?: string | null
  outputs?: { type?: string; logs?: string; url?: string }[] | null
  /** image_generation_call */
  result?: string | null
  output_format?: string
  /** mcp_call */
  server_label?: string
  output?: string | null
  error?: string | { message?: string } | null
}

const kinds: Readonly<Record<string, string>> = {
  web_search_call: 'web_search',
  file_search_call: 'file_search',
  code_interpreter_call: 'code_interpreter',
  image_generation_call: 'image_generation',
  mcp_call: 'mcp',
}

/** Null: the item is no tool that ran there, or none that we know. */
export function serverToolOf({
  type = '',
  name,
  server_label: server,
}: WireItem): { subType: string; name: string } | null {
  const subType = kinds[type]
  if (!subType) return null
  return { subType, name: subType === 'mcp' ? [server, name].filter(Boolean).join('.') || 'mcp' : subType }
}

interface Place {
  readonly index: number
  readonly blockId: string | null
}

/** `streamed`: its arguments were told already. The item itself goes back with the next request, but for images, which are large. */
export function serverToolResult(item: WireItem, at: Place, streamed: boolean): ChatEventDraft[] {
  const tool = serverToolOf(item)
  if (!tool) return []
  const { asked, text, more } = told(item, at)
  const failed = item.status === 'failed' || Boolean(item.error)
  return [
    ...(asked !== '' && !streamed ? [{ type: 'SERVER_TOOL_ARGS_DELTA', ...at, text: asked } as const] : []),
    ...more,
    {
      type: 'SERVER_TOOL_RESULT',
      ...at,
      subType: tool.subType,
      text: text === '' && failed ? 'It failed.' : text,
      failed,
      ...(tool.subType === 'image_generation' ? {} : { opaque: { item } }),
      rawType: item.type ?? null,
    },
  ]
}

/** What was asked, what came of it in words, and what beside words. */
function told(item: WireItem, at: Place): { asked: string; text: string; more: ChatEventDraft[] } {
  switch (item.type) {
    case 'web_search_call': {
      const { sources, ...action } = item.action ?? {}
      const urls = (sources ?? []).flatMap(({ url }) => url ?? [])
      const more = urls.map(
        url => ({ type: 'SEARCH_RESULT', ...at, searchResult: { url, title: url, snippet: null } }) as const,
      )
      return { asked: item.action ? JSON.stringify(action) : '', text: urls.join('\n'), more }
    }
    case 'file_search_call': {
      const found = (item.results ?? []).map(({ filename = '', file_id = '', text = '' }) => ({
        url: file_id,
        title: filename || file_id,
        snippet: text || null,
      }))
      const more = found.map(searchResult => ({ type: 'SEARCH_RESULT', ...at, searchResult }) as const)
      const text = found.map(({ title, snippet }) => [title, snippet].filter(Boolean).join('\n')).join('\n\n')
      return { asked: JSON.stringify({ queries: item.queries ?? [] }), text, more }
    }
    case 'code_interpreter_call': {
      const outputs = item.outputs ?? []
      const more = outputs.flatMap(({ url }) =>
        url ? [{ type: 'MEDIA_DONE', ...at, media: { mediaType: 'image/png', base64: null, url } } as const] : [],
      )
      return { asked: item.code ?? '', text: outputs.map(({ logs }) => logs ?? '').join(''), more }
    }
    case 'image_generation_call': {
      const media = item.result ? partialImage(item.result, item.output_format) : null
      return {
        asked: '',
        text: media ? 'An image was made.' : '',
        more: media ? [{ type: 'MEDIA_DONE', ...at, media }] : [],
      }
    }
    default: {
      const failed = typeof item.error === 'string' ? item.error : item.error?.message
      return { asked: item.arguments ?? '', text: failed ? `It failed: ${failed}` : (item.output ?? ''), more: [] }
    }
  }
}

export const partialImage = (base64 = '', format = 'png'): ChatMedia => ({
  mediaType: `image/${format}`,
  base64,
  url: null,
})

export const annotationOf = ({ url, title, filename }: WireAnnotation): ChatCitation => ({
  url: url ?? null,
  title: title ?? filename ?? null,
  quote: null,
})
