/** bash_output, bash_input, bash_stop: a running command by its id. */
import { z } from 'zod'
import type { BackgroundCommand } from '#contract/session'
import type { Tool } from '../agent/ports.ts'
import type { Backgrounds } from './background.ts'
import { defineTool, said } from './define.ts'

const standing = ({ state, exitCode }: BackgroundCommand): string =>
  state === 'running'
    ? 'It is still running.'
    : `It has ended (${state}${exitCode === null ? '' : `, exit code ${exitCode}`}).`

export const createBackgroundTools = (backgrounds: Backgrounds): Tool[] => [
  defineTool({
    name: 'bash_output',
    rare: true,
    description: 'What a background command has written since you last asked, and whether it still runs.',
    parameters: z.object({ id: z.string() }),
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    async run({ id }) {
      const { text, missed, command } = backgrounds.news(id)
      const lost = missed > 0 ? `(${missed} older characters are no longer kept.)\n` : ''
      return said(`${lost}${text === '' ? '(nothing new)' : text}\n${standing(command)}`, { state: command.state })
    },
  }),
  defineTool({
    name: 'bash_input',
    rare: true,
    description:
      'Write text to the standard input of a background command. End it with a newline where it waits for a line.',
    parameters: z.object({ id: z.string(), text: z.string().min(1).max(100_000) }),
    parallel: false,
    async describe({ id, text }) {
      const command = `(input of ${id})`
      // What is typed into a shell outside the jail runs outside it.
      const unjailed = !backgrounds.isJailed(id)
      return { kind: 'command', command, cwd: '', background: true, exact: text, ...(unjailed ? { unjailed } : {}) }
    },
    async run({ id, text }) {
      backgrounds.write(id, text)
      return said(`Wrote ${text.length} characters to ${id}.`, { backgroundId: id })
    },
  }),
  defineTool({
    name: 'bash_stop',
    rare: true,
    description: 'End a background command and everything it started.',
    parameters: z.object({ id: z.string() }),
    parallel: false,
    describe: async () => ({ kind: 'none' }),
    async run({ id }) {
      return said(`${id}: ${standing(await backgrounds.stop(id))}`, { backgroundId: id })
    },
  }),
]
