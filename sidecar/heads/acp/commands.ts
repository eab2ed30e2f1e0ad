/** Slash commands that a client may offer: what moves or mends the conversation itself, and is not for the model. */
import type { AvailableCommand, ContentBlock } from '@agentclientprotocol/sdk'
import type { Client } from '#contract/client'
import type { SessionId } from '#contract/id'
import type { BelayContract } from '#contract/index'

interface Command extends AvailableCommand {
  /** Answers what was done, in words. Throws like the request it makes. */
  run(client: Client<BelayContract>, sessionId: SessionId, rest: string): Promise<string>
}

const table: readonly Command[] = []

export const commands: readonly AvailableCommand[] = table.map(({ name, description, input }) => ({
  name,
  description,
  input: input ?? null,
}))

/** Null for what is a prompt. */
export function commandIn(
  blocks: readonly ContentBlock[],
): { run(client: Client<BelayContract>, sessionId: SessionId): Promise<string> } | null {
  const [only, ...more] = blocks
  if (only?.type !== 'text' || more.length > 0) return null
  const [, name, rest = ''] = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(only.text.trim()) ?? []
  const found = table.find(each => each.name === name)
  return found ? { run: (client, sessionId) => found.run(client, sessionId, rest.trim()) } : null
}
