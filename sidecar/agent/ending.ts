/** How a turn ends, in words for the person: what happened, what was kept, what to do. */
import type { ChatFailure } from '#contract/chat-event'
import type { TurnId } from '#contract/id'
import type { SessionEventOf } from '#contract/session-event'
import type { StepResult } from './blocks.ts'
import type { SessionPort } from './ports.ts'

export type TurnOutcome = SessionEventOf<'turn.ended'>['outcome']

export interface Ending {
  outcome: TurnOutcome
  error: { code: string; message: string } | null
}
export const ending = (outcome: TurnOutcome, code?: string, message?: string): Ending => ({
  outcome,
  error: code === undefined ? null : { code, message: message ?? code },
})

export const failed = ({ code, message }: ChatFailure): Ending => ending('error', code, message)

/** What the model's own reason to stop means for the turn. */
export function finished({ finish }: StepResult): Ending {
  if (finish === 'length') {
    const text = 'The model reached the longest answer it can give. What it wrote is kept; send "go on" to continue.'
    return ending('error', 'truncated', text)
  }
  if (finish === 'filter' || finish === 'refusal') {
    const who = finish === 'filter' ? 'A filter of the model service ended the answer' : 'The model declined to answer'
    return ending(
      'error',
      'content_filter',
      `${who}. What was done is kept; say it in another way, or choose another model.`,
    )
  }
  return ending('done')
}

/** What had already happened, for the person who stopped. */
export async function stopped(session: SessionPort, turnId: TurnId): Promise<Ending> {
  const tools = session.state.path.flatMap(id => {
    const item = session.state.items.get(id)
    return item?.kind === 'tool' && item.turnId === turnId ? [item] : []
  })
  const count = (state: string) => tools.filter(tool => tool.state === state).length
  const files = new Set(tools.flatMap(tool => tool.files.map(file => file.path.path)))
  const broken = tools.filter(tool => tool.state === 'stopped' && tool.startedAt !== null)
  const parts = [
    `${count('done')} of ${tools.length} tool calls were done`,
    files.size > 0 ? `changed: ${[...files].join(', ')}` : 'no file was changed',
    ...(broken.length > 0 ? [`ended in the middle: ${broken.map(tool => tool.tool).join(', ')}`] : []),
  ]
  await session.append({ type: 'status.changed', turnId, code: 'stopped', text: `Stopped. ${parts.join('; ')}.` })
  return ending('stopped')
}
