/** task, multitask, generate: work handed to other agents. What they may do is decided where they run. */
import { z } from 'zod'
import { MAX_BUDGET } from '#contract/session'
import type { SubagentResult, Subagents, Tool, ToolOutcome } from '../agent/ports.ts'
import { defineTool, said } from './define.ts'

/** The agents that are always there are named in the description; the others in a note, for their files may change. */
export const createTask = (subagents: Subagents): Tool =>
  defineTool({
    name: 'task',
    description:
      'Hand work to another agent; its report is the result. It knows only `prompt`. Agents: general (any work), explore (finds things in code), plan (works out a change), bash (commands with much output); notes name more.',
    parameters: work,
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    async run(args, context) {
      const result = await subagents.run(args, context)
      const { agent, sessionId, outcome } = result
      return { ...said(report(result), { agent, sessionId, outcome }, outcome !== 'done'), files: result.files }
    },
  })

const work = z.object({
  agent: z.string().min(1).max(200),
  description: z.string().min(1).max(200),
  prompt: z.string().min(1).max(100_000),
})

export const createMultitask = (subagents: Subagents): Tool =>
  defineTool({
    name: 'multitask',
    rare: true,
    description:
      'Hand 2 to 5 independent pieces of work to other agents (see task) that run at the same time, and get all reports. They must not change the same files.',
    parameters: z.object({ tasks: z.array(work).min(2).max(5) }),
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    async run({ tasks }, context) {
      const settled = await Promise.allSettled(tasks.map(each => subagents.run(each, context)))
      const results = settled.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
      const parts = tasks.map(({ agent, description }, i) => {
        const each = settled[i]
        const text = each?.status === 'fulfilled' ? report(each.value) : `Not begun: ${wordsOf(each?.reason)}`
        return `## ${i + 1}. ${agent}: ${description}\n\n${text}`
      })
      const done = results.filter(({ outcome }) => outcome === 'done').length
      const detail = { done, total: tasks.length }
      return { ...said(parts.join('\n\n'), detail, done === 0), files: filesOf(results) }
    },
  })

const wordsOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

export const createGenerate = (subagents: Subagents): Tool =>
  defineTool({
    name: 'generate',
    rare: true,
    description:
      'Make an agent for this session, to be called with task or multitask: for work of one kind that comes several times. `prompt` tells it who it is; `tools` is all it has, at most what you have ("*": the usual ones). The name must be new.',
    parameters: z.object({
      name: z.string().min(1).max(64),
      description: z.string().min(1).max(1000),
      prompt: z.string().min(1).max(50_000),
      tools: z.array(z.string().min(1).max(200)).max(200),
    }),
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    async run(args, context) {
      const description = args.description.replace(/\s+/g, ' ').trim()
      const { tools } = await subagents.generate({ ...args, description }, context)
      return said(`The agent ${args.name} is there for this session. Its tools: ${tools.join(', ') || 'none'}.`, {
        tools,
      })
    },
  })

export const createSubagentTools = (subagents: Subagents): Tool[] => [
  createTask(subagents),
  createMultitask(subagents),
  createGenerate(subagents),
]

/** Its words, and before them how it ended where that was not by itself. */
function report({ agent, outcome, text, error }: SubagentResult): string {
  const words = text === '' ? 'It said nothing.' : text
  if (outcome === 'done') return words
  const how = {
    stopped: 'was stopped',
    limit: error?.code === MAX_BUDGET ? 'came to the end of the budget' : 'reached its limit of model calls',
    error: 'broke off',
    lost: 'was lost',
  }[outcome]
  const why = error && outcome === 'error' ? `: ${error.message}` : '.'
  return `The agent ${agent} ${how}${why} What it did until then stays done.${text === '' ? '' : ` It last said:\n\n${text}`}`
}

/** Two may have written one path: what came first and last of it can then not be told, so both lines stay. */
const filesOf = (results: readonly SubagentResult[]): ToolOutcome['files'] => results.flatMap(({ files }) => files)
