/** A model that cannot answer now is left for another: before its first word only, seen by the person, paid to who answered. */
import { afterEach, describe, expect, it } from 'vitest'
import { createScripted } from '../model/scripted.ts'
import type { ScriptInput } from '../model/scripted-script.ts'
import { createRig, type Rig, told } from './fixture.case.ts'
import type { Model } from './ports.ts'

let rig: Rig
afterEach(() => rig.dispose())

/** `scripted/default` plays the first, whatever else the second at ten times the price. */
async function turn(first: ScriptInput, second: ScriptInput, fallbackModel: string | undefined = 'other/b') {
  const models = { a: createScripted({ script: first }), b: createScripted({ script: second }) }
  const of = (model: string) => (model === 'scripted/default' ? models.a : models.b)
  const model: Model = {
    stream: (request, signal) => of(request.model).stream(request, signal),
    cost: (name, usage) => (of(name).cost(name, usage) ?? 0) * (name === 'scripted/default' ? 1 : 10),
    contextTokens: () => null,
  }
  rig = await createRig([], { deps: { model, retryBaseMs: 1 }, fallbackModel })
  const running = await rig.begin()
  await running.ended
  return { lines: told(rig.events).slice(2), models, turn: rig.session.state.turns.get(running.turnId) }
}

const used = { usage: { input: 100, output: 10 } }

describe('a fallback', () => {
  it.each(['rate_limit', 'overloaded', 'network'] as const)('goes on after the tries for %s', async error => {
    const { lines, turn: ended } = await turn([[{ error, retryAfterMs: 1 }]], [[{ text: 'Here.' }, used]])
    expect(lines.slice(4)).toEqual([
      'status.changed fallback',
      'message.added assistant model',
      'message.ended Here.',
      'turn.ended done',
    ])
    expect(ended).toMatchObject({ producer: { model: 'other/b' }, cost: 0.0011 })
    expect(ended?.notices.at(-1)?.text).toContain('other/b goes on')
  })

  it('goes on at once where the provider asks for too much patience', async () => {
    const { lines } = await turn([[{ error: 'rate_limit', retryAfterMs: 3_600_000 }]], [[{ text: 'Here.' }]])
    expect(lines[0]).toBe('status.changed fallback')
  })

  it('speaks for the rest of the turn, and the next turn begins with the chosen model again', async () => {
    const { models, turn: ended } = await turn(
      [[{ error: 'overloaded', retryAfterMs: 1 }]],
      [
        [{ call: 'look', arguments: { path: 'a' } }, used],
        [{ text: 'Seen.' }, used],
      ],
    )
    expect(models.b.requests.map(({ model }) => model)).toEqual(['other/b', 'other/b'])
    expect(ended?.cost).toBeCloseTo(0.0022)
    await (await rig.begin()).ended
    // Five tries each.
    expect(models.a.requests).toHaveLength(10)
    expect(rig.session.state.facts.producer?.model).toBe('scripted/default')
  })

  it('never after the first word', async () => {
    const { lines, models } = await turn([[{ text: 'I' }, { error: 'network' }]], [[{ text: 'Here.' }]])
    expect(lines.at(-1)).toBe('turn.ended error network')
    expect(models.b.requests).toEqual([])
  })

  it.each(['auth', 'bad_request', 'context_too_long', 'content_filter'] as const)('not for %s', async error => {
    const { lines, models } = await turn([[{ error }]], [[{ text: 'Here.' }]])
    expect(lines).toEqual([`turn.ended error ${error}`])
    expect(models.b.requests).toEqual([])
  })

  it('that is the model itself, or is not there, is none', async () => {
    const { lines } = await turn([[{ error: 'overloaded', retryAfterMs: 1 }]], [], 'scripted/default')
    expect(lines.filter(line => line === 'status.changed fallback')).toEqual([])
    expect(lines.at(-1)).toBe('turn.ended error overloaded')
  })

  it('that fails too ends the turn with its own words', async () => {
    const { lines, turn: ended } = await turn(
      [[{ error: 'overloaded', retryAfterMs: 1 }]],
      [[{ error: 'auth', message: 'No key.' }]],
    )
    expect(lines.at(-1)).toBe('turn.ended error auth')
    expect(ended?.error?.message).toBe('No key.')
  })
})
