import { describe, expect, it } from 'vitest'
import { readSlash } from './slash.ts'

const told = async (text: string) => {
  const read = readSlash(text)
  if (read?.kind !== 'run') return read && `${read.why} ${read.word} ${read.given}`
  const ran: unknown[] = []
  await read.run((async (...all: unknown[]) => void ran.push(all)) as never)
  return ran[0]
}

describe('readSlash', () => {
  it.each([
    ['/rewind', ['agent.rewind']],
    ['/rewind 3', ['agent.rewind', { to: { turns: 3 } }]],
    ['  /Rewind   3 ', ['agent.rewind', { to: { turns: 3 } }]],
    ['/rewind all', 'turns rewind all'],
    ['/rewind 0', 'turns rewind 0'],
    ['/rewind -1', 'turns rewind -1'],
    ['/undo', ['agent.undoRewind']],
    ['/undo it', 'nothing undo it'],
    ['/fork The other way', ['agent.fork', { title: 'The other way' }]],
    ['/compact keep\nthe names', ['agent.compact', { focus: 'keep\nthe names' }]],
    ['/rewinding', null],
    ['/usr/bin/env is not found', null],
    ['undo /rewind', null],
  ])('%s', async (text, expected) => expect(await told(text)).toEqual(expected))
})
