/** A whole core, killed at any moment of turns that write, of renaming, rewinding and making room: the next one opens all of it, and what was acknowledged is there. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SessionId } from '#contract/id'
import { bundled } from './base/bundled.case.ts'
import { openWindow, startCore } from './core.case.ts'

const KILLS = process.env.BELAY_DEEP ? 200 : 24
const LANES = 2

let child = ''
let home = ''
beforeAll(async () => {
  const cache = join(import.meta.dirname, '../.cache')
  await mkdir(cache, { recursive: true })
  home = await realpath(await mkdtemp(join(tmpdir(), 'belay-kill-matrix-')))
  child = await bundled(
    'turns',
    `import { writeSync } from 'node:fs'
     import { openWindow, startCore } from './sidecar/core.case.ts'
     const [home, folder, known, from] = process.argv.slice(2)
     const core = await startCore(home)
     const client = await openWindow(core)
     const { workspaceId } = await client.workspace.open({ folder })
     const sessionId = known || (await client.session.create({ workspaceId, mode: 'acceptEdits', model: 'scripted/default' })).sessionId
     const say = (...words) => writeSync(1, words.join(' ') + '\\n')
     say('session', sessionId)
     const state = await client.session.open({ sessionId })
     let ended = () => {}
     client.on('session/happened', ({ events }) => {
       for (const event of events) if (event.type === 'turn.ended') ended()
     })
     for (let round = Number(from); ; round++) {
       const over = new Promise(resolve => { ended = resolve })
       const steps = [
         [{ call: 'write', arguments: { path: 'new-' + round + '.txt', content: String(round) } }],
         [{ call: 'write', arguments: { path: 'same.txt', content: 'round ' + round } }],
         [{ text: ['Round ', String(round), ' is over.'] }],
       ]
       const parts = [{ kind: 'text', text: 'script:' + JSON.stringify(steps) }]
       const { itemId } = await client.session.prompt({ sessionId, requestId: crypto.randomUUID(), parts })
       say('prompt', round, itemId)
       await client.session.title({ sessionId, title: 'title ' + round })
       say('title', round)
       await over
       say('turn', round)
       if (round % 4 === 1) {
         const { outcome } = await client.session.compact({ sessionId })
         if (outcome === 'compacted') say('compacted', round)
       }
       if (round % 4 !== 3) continue
       await client.head.rewind({ sessionId, requestId: crypto.randomUUID(), to: { before: itemId }, what: 'both' })
       say('rewound', round)
     }`,
    await mkdtemp(join(cache, 'kill-matrix-')),
    ['@vscode/ripgrep', '@anthropic-ai/sandbox-runtime'],
  )
}, 120_000)
afterAll(async () => {
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
  await rm(dirname(child), { recursive: true, force: true })
})

type Ack = readonly [what: 'prompt' | 'title' | 'turn' | 'compacted' | 'rewound', round: number, id: string | undefined]

async function runAndKill(own: string, known: string, from: number): Promise<{ sessionId: string; acks: Ack[] }> {
  const running = spawn(process.execPath, [child, own, join(own, 'project'), known, String(from)])
  const deadline = setTimeout(() => running.kill('SIGKILL'), 60_000)
  const wanted = 1 + Math.floor(Math.random() * 16)
  let text = ''
  let faults = ''
  running.stdout.setEncoding('utf8').on('data', piece => {
    text += piece
    // Not at once: somewhere in the middle of what follows.
    if (text.split('\n').length > wanted) setTimeout(() => running.kill('SIGKILL'), Math.random() * 15)
  })
  running.stderr.setEncoding('utf8').on('data', piece => {
    faults += piece
  })
  await new Promise(resolve => running.on('close', resolve))
  clearTimeout(deadline)
  expect(faults).toBe('')
  const acks = [...text.matchAll(/^(prompt|title|turn|compacted|rewound) (\d+)(?: (\S+))?$/gm)].map(
    ([, what, round, id]): Ack => [what as Ack[0], Number(round), id],
  )
  return { sessionId: /^session (\S+)$/m.exec(text)?.[1] ?? known, acks }
}

async function lane(number: number): Promise<Ack[]> {
  const own = join(home, `lane-${number}`)
  const folder = join(own, 'project')
  await mkdir(folder, { recursive: true })
  await mkdir(join(own, 'belay/data'), { recursive: true })
  await writeFile(join(own, 'belay/data/trust.json'), JSON.stringify({ folders: [folder] }))
  await writeFile(join(folder, 'mine.txt'), 'the person’s own')
  const all: Ack[] = []
  let known = ''
  for (let kill = 0; kill < KILLS / LANES; kill++) {
    const from = (all.at(-1)?.[1] ?? -1) + 1
    const { sessionId, acks } = await runAndKill(own, known, from)
    known = sessionId
    all.push(...acks)
    const core = await startCore(own)
    const client = await openWindow(core)
    await client.workspace.open({ folder })
    const id = SessionId.parse(sessionId)
    const { facts, items, turns } = await client.session.open({ sessionId: id })
    expect([facts.running, facts.unknown, turns.filter(turn => turn.outcome === null)]).toEqual([null, 0, []])
    expect(items.filter(item => item.kind === 'tool' && /requested|running/.test(item.state))).toEqual([])
    const { text } = await client.session.export({ sessionId: id })
    const records = text.split('\n').flatMap(line => (line ? [JSON.parse(line) as Record<string, unknown>] : []))
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1))
    const prompts = new Set(records.flatMap(record => (record.type === 'message.added' ? [record.id] : [])))
    const titles = new Set(records.flatMap(record => (record.type === 'session.titled' ? [record.title] : [])))
    const compacted = all.filter(([what]) => what === 'compacted').length
    expect(records.filter(({ type }) => type === 'context.compacted').length).toBeGreaterThanOrEqual(compacted)
    for (const [what, round, itemId] of all) {
      if (what === 'prompt') expect([round, prompts.has(itemId)]).toEqual([round, true])
      if (what === 'title') expect([round, titles.has(`title ${round}`)]).toEqual([round, true])
    }
    // A turn that was over is on the disk, and one that was taken back is not there any more.
    const over = all.findLast(([what]) => what === 'turn' || what === 'rewound')
    const later = all.some(([what, round]) => what === 'prompt' && round > (over?.[1] ?? -1))
    if (over && !later) {
      const file = await readFile(join(folder, `new-${over[1]}.txt`), 'utf8').catch(() => null)
      // Killed while it is being taken back: all of it or nothing.
      if (over[0] === 'rewound' || over[1] % 4 !== 3) expect(file).toBe(over[0] === 'turn' ? String(over[1]) : null)
    }
    expect(await readFile(join(folder, 'mine.txt'), 'utf8')).toBe('the person’s own')
    await core.dispose()
  }
  return all
}

it(`SIGKILL ${KILLS} times`, { timeout: 1_800_000 }, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  for (const acks of lanes) expect(acks.length).toBeGreaterThanOrEqual(KILLS / LANES)
  // Each kind of work was come to, or it was killed in none of it.
  const kinds = new Set(lanes.flat().map(([what]) => what))
  expect([...kinds].sort()).toEqual(['compacted', 'prompt', 'rewound', 'title', 'turn'])
})
