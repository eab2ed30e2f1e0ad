/** Slash commands that a client may offer: what mends the conversation itself, and is not for the model. */
import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk'
import type { Client } from '#contract/client'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'
import type { SessionFacts } from '#contract/session-state'
import { compact, previewRewind, rewind, turnsIn, undo, wordsOfPreview } from '../headless/verbs.ts'

interface Of {
  readonly client: Client<BelayContract>
  readonly sessionId: SessionId
  readonly facts: SessionFacts
}
interface Command extends AvailableCommand {
  /** Answers what was done, in words. Throws words. */
  run(of: Of, rest: string): Promise<string>
}

const table: readonly Command[] = [
  {
    name: 'compact',
    description: 'Makes earlier parts shorter for the model',
    input: { hint: '[focus]' },
    run: (of, rest) => compact(of, rest),
  },
  {
    name: 'rewind',
    description: 'Takes back the last turns, files included',
    input: { hint: '[n]' },
    async run(of, rest) {
      const turns = turnsIn(rest)
      const preview = wordsOfPreview(await previewRewind(of, turns))
      await rewind(of, turns, 'both')
      return `${preview}\nTaken back. /undo brings it again.`
    },
  },
  { name: 'undo', description: 'Takes the last rewind back', run: of => undo(of, of.facts) },
]

export const commands: readonly AvailableCommand[] = table.map(({ name, description, input }) => ({
  name,
  description,
  input: input ?? null,
}))

/** Null for what is a prompt. */
export function commandIn(blocks: readonly ContentBlock[]): ((of: Of) => Promise<string>) | null {
  const [only, ...more] = blocks
  if (only?.type !== 'text' || more.length > 0) return null
  const [, name, rest = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(only.text.trim()) ?? []
  const found = table.find(each => each.name === name)
  return found ? of => found.run(of, rest.trim()) : null
}
