/** The vocabulary is closed: each type has its group and its phase for good, and consumers may rely on both. */
import { expect, test } from 'vitest'
import { type ChatEventType, chatEventTypes, groupOf, isTerminal, phaseOf } from './chat-event.ts'

/** By group; a phase after a colon, where it is one. */
const vocabulary = {
  LIFECYCLE: 'RESPONSE_START:START STATUS HEARTBEAT RESPONSE_END:END ABORT:END',
  STEP: 'STEP_START:START STEP_END:END',
  TEXT: 'TEXT_START:START TEXT_DELTA:DELTA TEXT_END:END',
  THINKING: 'THINKING_START:START THINKING_DELTA:DELTA THINKING_END:END THINKING_SIGNATURE THINKING_REDACTED',
  TOOL_CALL: 'TOOL_CALL_START:START TOOL_CALL_ARGS_DELTA:DELTA TOOL_CALL_END:END TOOL_RESULT',
  SERVER_TOOL: 'SERVER_TOOL_START:START SERVER_TOOL_ARGS_DELTA:DELTA SERVER_TOOL_RESULT:END',
  MEDIA: 'SEARCH_RESULT CITATION MEDIA_PARTIAL:DELTA MEDIA_DONE:END',
  SAFETY: 'REFUSAL_DELTA:DELTA CONTENT_FILTER',
  META: 'USAGE ERROR RAW CUSTOM',
}

test('32 types in 9 groups, each with its phase', () => {
  const said = Object.entries(vocabulary).flatMap(([group, types]) =>
    types.split(' ').map(each => {
      const [type = '', phase = 'NONE'] = each.split(':')
      return [type, group, phase]
    }),
  )
  const types = Object.keys(chatEventTypes) as ChatEventType[]
  expect(types).toHaveLength(32)
  expect(types.map(type => [type, groupOf(type), phaseOf(type)]).sort()).toEqual(said.sort())
})

test('three of them end a response, and an END phase alone says nothing of that', () => {
  const types = Object.keys(chatEventTypes) as ChatEventType[]
  expect(types.filter(isTerminal)).toEqual(['RESPONSE_END', 'ABORT', 'ERROR'])
  expect(types.filter(type => phaseOf(type) === 'END' && !isTerminal(type)).length).toBeGreaterThan(0)
})
