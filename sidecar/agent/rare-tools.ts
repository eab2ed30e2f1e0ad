/**
 * Tools that few turns need cost bytes in every request, so a model is told their names alone. It looks one up with
 * `tool_search` and calls it through `tool_use`; for rules, asks and cards the call is then the tool's own.
 */
import { z } from 'zod'
import { describeTool } from './arguments.ts'
import type { Tool } from './ports.ts'

export const USE = 'tool_use'

/** What is offered in every request: the usual tools and, where there are rare ones, the two that lead to them. */
export function offeredOf(tools: readonly Tool[]): Tool[] {
  const rare = tools.filter(tool => tool.rare)
  const usual = tools.filter(tool => !tool.rare)
  return rare.length === 0 ? usual : [...usual, createSearch(rare), use]
}

/** Everything that a call may name. */
export const callableOf = (tools: readonly Tool[]): Tool[] => [...new Set([...tools, ...offeredOf(tools)])]

const createSearch = (rare: readonly Tool[]): Tool => {
  const names = rare.map(({ name }) => name).sort()
  const parameters = z.object({ query: z.string().max(1000) })
  return erased({
    name: 'tool_search',
    description: `How to call a tool that is not in this list: ${names.join(', ')}. \`query\`: name or purpose.`,
    parameters,
    parallel: true,
    describe: async () => ({ kind: 'none' }),
    async run({ query }) {
      const found = best(rare, query)
      const text = found.map(tool => JSON.stringify(describeTool(tool))).join('\n')
      return {
        failed: false,
        text: `Call with ${USE}:\n${text}`,
        files: [],
        lsp: [],
        detail: { matches: found.length },
      }
    },
  })
}

const use: Tool = erased({
  name: USE,
  description: 'Call a tool that tool_search told you of.',
  parameters: z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
  parallel: false,
  describe: () =>
    Promise.reject(new Error('Send { "tool": name, "arguments": { … } }, as tool_search shows it. Nothing was done.')),
  run: () => Promise.reject(new Error('It is always taken apart before.')),
})

/** Those that have most of the words; all of them where none has any. */
function best(tools: readonly Tool[], query: string): Tool[] {
  const words: string[] = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const scored = tools.map(tool => {
    const text = `${tool.name} ${tool.description}`.toLowerCase()
    return { tool, score: words.filter(word => text.includes(word)).length + (query.includes(tool.name) ? 100 : 0) }
  })
  const most = Math.max(...scored.map(({ score }) => score))
  return most === 0 ? [...tools] : scored.filter(({ score }) => score > 0 && score * 2 >= most).map(({ tool }) => tool)
}

/** A call through `tool_use` as the call that it stands for; any other as it is. */
export function unwrapped(call: { tool: string; arguments: string }): {
  tool: string
  arguments: string
  via?: typeof USE
} {
  if (call.tool !== USE) return call
  try {
    const parsed = Wrapped.safeParse(JSON.parse(call.arguments))
    if (parsed.success && parsed.data.tool !== USE)
      return { tool: parsed.data.tool, arguments: JSON.stringify(parsed.data.arguments), via: USE }
  } catch {
    // It stays what it is, and is told how to call.
  }
  return call
}
const Wrapped = z.object({ tool: z.string().min(1), arguments: z.record(z.string(), z.unknown()).default({}) })

/** As the model sent it, for its history. */
export const wrapped = (tool: string, text: string): string => {
  const value: unknown = JSON.parse(text)
  return JSON.stringify({ tool, arguments: value })
}

function erased<S extends z.ZodType>(tool: Omit<Tool<z.output<S>>, 'parameters'> & { parameters: S }): Tool {
  return tool as unknown as Tool
}
