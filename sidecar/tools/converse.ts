/** todo, ask_user, propose_plan: what the agent says to the person besides its answer. */

import { z } from 'zod'
import { Question, TodoItem } from '#contract/session-event'
import type { Tool } from '../agent/ports.ts'
import { defineTool, said } from './define.ts'

export const todo: Tool = defineTool({
  name: 'todo',
  description:
    'The list of what you are doing, shown to the person. Give the whole list each time; at most one item is in_progress. Use it for work of three steps or more.',
  parameters: z.object({ items: z.array(TodoItem).max(100) }),
  parallel: false,
  describe: async () => ({ kind: 'none' }),
  async run({ items }, context) {
    await context.todo(items)
    const done = items.filter(item => item.state === 'done').length
    return said(`The list is kept: ${done} of ${items.length} done.`, { done, total: items.length })
  },
})

export const askUser: Tool = defineTool({
  name: 'ask_user',
  description:
    'Ask the person one to four questions and wait. Offer short choices where you can (`multiple`: several; `free`: own words too).',
  parameters: z.object({
    questions: z
      .array(Question.partial({ multiple: true, free: true, choices: true }))
      .min(1)
      .max(4),
  }),
  parallel: false,
  describe: async () => ({ kind: 'ask' }),
  async run({ questions }, context) {
    const asked = questions.map(({ text, choices = [], multiple = false, free = choices.length === 0 }) => ({
      text,
      choices,
      multiple,
      free,
    }))
    const answers = await context.askQuestions(asked)
    if (!answers)
      return said(
        'The person did not answer. Go on with what you can decide yourself, and say what you assumed.',
        {},
        true,
      )
    const lines = asked.map(({ text }, i) => {
      const { chosen = [], words } = answers[i] ?? {}
      return `${text}\n-> ${[...chosen, ...(words ? [words] : [])].join('; ') || '(no answer)'}`
    })
    return said(lines.join('\n\n'), { answers })
  },
})

export const proposePlan: Tool = defineTool({
  name: 'propose_plan',
  description:
    'Show the person a plan in Markdown and wait for approval. Say what will change, where, and how it will be checked.',
  parameters: z.object({ markdown: z.string().min(1).max(100_000) }),
  parallel: false,
  describe: async () => ({ kind: 'ask' }),
  async run({ markdown }, context) {
    const { approved, mode, words } = await context.proposePlan(markdown)
    if (approved)
      return said(`The person approved the plan${mode ? ` (mode is now ${mode})` : ''}. ${words ?? ''}`.trim(), {
        approved,
      })
    return said(
      `The person did not approve the plan.${words ? ` They said: ${words}` : ' Ask what should be different.'}`,
      { approved },
    )
  },
})
