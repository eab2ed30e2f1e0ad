/** From a model's own text to arguments a tool can take, or to words that say what would have worked. */
import { z } from 'zod'
import type { Tool, ToolDescription } from './ports.ts'

/** Arguments above this are not kept: neither the log nor the next request should carry them again. UTF-16 units. */
export const MAX_ARGUMENT_CHARS = 1_000_000

/** By name, so that the bytes do not depend on how the list was put together. */
export const describeTools = (tools: readonly Tool[]): ToolDescription[] =>
  tools.map(describeTool).sort((a, b) => (a.name < b.name ? -1 : 1))

/** JSON Schema without what providers do not need. The same text every time. */
export function describeTool({ name, description, parameters }: Tool): ToolDescription {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => leaveOut(jsonSchema),
  })
  return { name, description, parameters: schema }
}

/** What costs bytes at every step and tells a model nothing: bounds far from any sensible call (who oversteps them is told then), defaults. */
const FAR = 100

interface Bounds {
  default?: unknown
  minLength?: unknown
  maxLength?: unknown
  minItems?: unknown
  maxItems?: unknown
  minimum?: unknown
  maximum?: unknown
  propertyNames?: unknown
  additionalProperties?: unknown
}

function leaveOut(schema: Bounds): void {
  delete schema.minLength
  delete schema.propertyNames
  delete schema.default
  if (Number(schema.minItems) <= 1) delete schema.minItems
  if (Number(schema.minimum) <= 1) delete schema.minimum
  if (Number(schema.maxLength) >= FAR) delete schema.maxLength
  if (Number(schema.maxItems) >= 10) delete schema.maxItems
  if (Number(schema.maximum) >= FAR * 10) delete schema.maximum
  if (JSON.stringify(schema.additionalProperties) === '{}') delete schema.additionalProperties
}

export function readArguments(
  call: { tool: string; arguments: string },
  tools: readonly Tool[],
): { tool: Tool; args: unknown } | { refusal: string } {
  const tool = tools.find(({ name }) => name === call.tool)
  if (!tool) return { refusal: unknownTool(call.tool, tools) }
  if (call.arguments.length > MAX_ARGUMENT_CHARS) {
    const size = call.arguments.length.toLocaleString('en')
    return {
      refusal: `The arguments are ${size} characters long; at most ${MAX_ARGUMENT_CHARS.toLocaleString('en')} are taken, and nothing was done. Do it in several smaller calls.`,
    }
  }
  let value: unknown
  try {
    value = JSON.parse(call.arguments.trim() || '{}')
  } catch (fault) {
    const why = (fault as Error).message
    return { refusal: `The arguments are not valid JSON (${why}); nothing was done. Send one object: ${shapeOf(tool)}` }
  }
  const parsed = tool.parameters.safeParse(value)
  if (parsed.success) return { tool, args: parsed.data }
  return {
    refusal: `The arguments do not fit; nothing was done.\n${z.prettifyError(parsed.error)}\nSend one object: ${shapeOf(tool)}`,
  }
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const names = tools.map(tool => tool.name)
  const alike = names.find(known => plain(known) === plain(name) || (name !== '' && plain(known).includes(plain(name))))
  return `There is no tool "${name.slice(0, 100)}"; nothing was done. ${alike ? `Did you mean "${alike}"? ` : ''}The tools are: ${names.join(', ')}.`
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '')

/** `{ "path": string, "limit"?: integer }`: enough for a model to mend its call. */
function shapeOf(tool: Tool): string {
  const schema = z.toJSONSchema(tool.parameters, { io: 'input', unrepresentable: 'any' })
  const required = new Set(schema.required ?? [])
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const type = typeof property === 'object' ? (property.type ?? 'value') : 'value'
    return `"${name}"${required.has(name) ? '' : '?'}: ${Array.isArray(type) ? type.join('|') : type}`
  })
  return `{ ${fields.join(', ')} }`
}
