/** How a tool call is named in one line: its verb, its target, and where the target opens. */
import type { ToolItem } from '#contract/session-state'

export interface ToolWords {
  /** Catalogue key of the verb. */
  readonly verb: string
  readonly target: string
  /** The file to open, as the model wrote it; null for what is no file. */
  readonly file: string | null
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The arguments as they ran, or what can be read of the model's own text before that. */
export function argumentsOf(item: ToolItem): Record<string, unknown> {
  if (typeof item.started === 'object' && item.started !== null) return item.started as Record<string, unknown>
  try {
    const parsed: unknown = JSON.parse(item.arguments)
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const known = new Set([
  'read',
  'write',
  'edit',
  'list',
  'glob',
  'grep',
  'bash',
  'bash_output',
  'bash_input',
  'bash_stop',
  'todo',
  'ask_user',
  'propose_plan',
  'task',
  'multitask',
  'generate',
  'webfetch',
  'tool_search',
  'lsp',
  'remember',
])

/** What of its arguments names a call best, first come first served. */
const named: Record<string, readonly string[]> = {
  bash: ['command'],
  task: ['description', 'agent', 'prompt'],
  multitask: ['description'],
  generate: ['name', 'description'],
  webfetch: ['url'],
  websearch: ['query'],
  tool_search: ['query'],
  remember: ['text'],
}

/** Who gets the pieces of a `multitask`. */
const agentsIn = (tasks: unknown): string =>
  Array.isArray(tasks) ? tasks.map((each: { agent?: unknown } | null) => text(each?.agent)).join(', ') : ''

export function toolWords(item: ToolItem): ToolWords {
  const args = argumentsOf(item)
  const { tool } = item
  if (item.server) {
    const target = text(args.query) || text(args.url) || text(args.code) || tool
    return { verb: tool === 'web_search' ? 'chat.verb.webSearch' : 'chat.verb.other', target, file: null }
  }
  const verb = tool === 'websearch' ? 'chat.verb.webSearch' : known.has(tool) ? `chat.verb.${tool}` : 'chat.verb.other'
  const path = text(args.path)
  const isFile = tool === 'read' || tool === 'write' || tool === 'edit'
  const target =
    tool === 'grep' || tool === 'glob'
      ? `${text(args.pattern)}${path && path !== '.' ? ` · ${path}` : ''}`
      : tool === 'lsp'
        ? [text(args.operation), text(args.symbol) || text(args.query) || path].filter(Boolean).join(' ')
        : tool.startsWith('bash_')
          ? text(args.id)
          : named[tool]
            ? (named[tool].map(name => text(args[name])).find(Boolean) ?? agentsIn(args.tasks))
            : known.has(tool)
              ? path
              : tool
  return { verb, target, file: isFile && !path.startsWith('blob:') ? path : null }
}
