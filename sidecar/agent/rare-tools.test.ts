import { expect, it } from 'vitest'
import { z } from 'zod'
import { createRig, told } from './fixture.case.ts'
import type { ModelRequest, Tool } from './ports.ts'

const seen: unknown[] = []
const rare = {
  name: 'fetch_page',
  description: 'Get a page of the web.',
  parameters: z.object({ url: z.string() }),
  parallel: true,
  rare: true,
  describe: async ({ url }: { url: string }) => ({ kind: 'read', path: url }) as const,
  async run(args: unknown) {
    seen.push(args)
    return { failed: false, text: 'the page', files: [], lsp: [], detail: {} }
  },
} as unknown as Tool

it('a rare tool costs a name in every request, is found, and is called as itself', async () => {
  const requests: ModelRequest[] = []
  const rig = await createRig(
    [
      [{ call: 'tool_search', arguments: { query: 'a page' } }],
      [{ call: 'tool_use', arguments: { tool: 'fetch_page', arguments: { url: 'x' } } }],
      [{ call: 'tool_use', arguments: { tool: 'fetch_page', arguments: { nothing: 1 } } }],
      [{ call: 'tool_use', arguments: { tool: 'nobody', arguments: {} } }],
      [{ call: 'tool_use', arguments: { tool: 'tool_use', arguments: {} } }],
      [{ text: 'done' }],
    ],
    { deps: { tools: [rare] } },
  )
  const { stream } = rig.model
  rig.model.stream = (request, signal) => {
    requests.push(request)
    return stream(request, signal)
  }
  await (await rig.begin()).ended
  expect(told(rig.events).filter(line => line.startsWith('tool.'))).toEqual([
    'tool.requested tool_search',
    'tool.started {"query":"a page"}',
    'tool.ended done Call with tool_use:',
    'tool.requested fetch_page',
    'tool.started {"url":"x"}',
    'tool.ended done the page',
    'tool.requested fetch_page',
    'tool.ended failed The arguments do not fit; nothing was done.',
    'tool.requested nobody',
    'tool.ended failed There is no tool "nobody"; nothing was done. The tools are: fetch_page',
    'tool.requested tool_use',
    'tool.ended failed Send { "tool": name, "arguments": { … } }, as tool_search shows it. No',
  ])
  expect(seen).toEqual([{ url: 'x' }])
  expect(requests[0]?.tools.map(({ name }) => name)).toEqual(['tool_search', 'tool_use'])
  expect(JSON.stringify(requests[0]?.tools)).not.toContain('url')
  // The model reads its own call back as it made it.
  expect(requests[2]?.messages.at(-2)).toMatchObject({
    parts: [{ tool: 'tool_use', arguments: '{"tool":"fetch_page","arguments":{"url":"x"}}' }],
  })
  expect(requests[2]?.messages.at(-1)).toMatchObject({ role: 'tool', tool: 'tool_use', text: 'the page' })
  await rig.dispose()
})
