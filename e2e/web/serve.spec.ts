/** Programs ask over HTTP: with the token that Belay keeps, in a real core, with results as `belay run` gives them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPlace } from '../fixtures/place.ts'
import { processesOf } from '../fixtures/processes.ts'
import { built } from '../fixtures/start.ts'
import { expect, test } from './belay.ts'
import { script } from './window.ts'

test('belay serve answers a program: a result, events, a refusal, an interrupt; and ends with everything it started', async () => {
  const place = await createPlace()
  const args = [join(built, 'main/belay.js'), 'serve', '0', place.folder]
  const child = spawn(process.execPath, args, { cwd: place.root, env: place.env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  try {
    let output = ''
    child.stdout.on('data', piece => {
      output += piece
    })
    await expect.poll(() => output).toContain('Programs ask at')
    const [, url = '', tokenFile = ''] = /Programs ask at (\S+); their token is in (\S+)\./.exec(output) ?? []
    const token = (await readFile(tokenFile, 'utf8')).trim()
    const post = (path: string, body: object) =>
      fetch(new URL(path, url), {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      })
    const options = { model: 'scripted/default' }
    const prompt = script([{ call: 'read', arguments: { path: 'package.json' } }], [{ text: 'It is hono.' }])
    const answer = await post('/run', { prompt, options, metadata: { ticket: 7 } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ result: 'It is hono.', is_error: false, metadata: { ticket: 7 } })
    const events = await (await post('/run', { prompt, options: { ...options, output_format: 'stream-json' } })).text()
    const types = [...events.matchAll(/^data: (.*)$/gm)].map(
      ([, data = '']) => (JSON.parse(data) as { type: string }).type,
    )
    expect(types).toEqual(['system', 'assistant', 'user', 'assistant', 'result'])
    expect((await post('/run', { prompt, workspace: 'elsewhere' })).status).toBe(404)
    expect((await fetch(new URL('/run', url), { method: 'POST', body: '{}' })).status).toBe(401)

    const endless = script([{ text: 'half' }, { delayMs: 600_000 }])
    const going = post('/run', { prompt: endless, options: { ...options, session_id: 'mine' } })
    await expect.poll(async () => (await post('/run/interrupt', { session_id: 'mine' })).status).toBe(202)
    expect((await going).status).toBe(500)
  } finally {
    child.kill('SIGINT')
    await ended
  }
  await expect.poll(() => processesOf(place.root)).toEqual([])
  await place.dispose()
})
