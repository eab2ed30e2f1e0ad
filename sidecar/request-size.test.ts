/** What every request carries before the first word of a person: it is paid for at each step, so it stays small. */
import { describe, expect, it } from 'vitest'
import { describeTools } from './agent/arguments.ts'
import type { Surroundings } from './agent/ports.ts'
import { systemPrompt } from './agent/prompt.ts'
import { offeredOf } from './agent/rare-tools.ts'
import { dialects } from './model/dialects/index.ts'
import { createLsp } from './tools/lsp.ts'
import { createRig } from './tools/rig.case.ts'
import { createSubagentTools } from './tools/task.ts'
import { createWebTools } from './tools/web/web-tools.ts'

const BAR_BYTES = 8 * 1024
const here: Surroundings = {
  roots: [{ rootId: 'root_0' as never, absolute: '/a/folder/of/a/person/project', name: 'project', readOnly: false }],
  platform: 'linux',
  shell: '/bin/bash',
  date: '2026-11-30',
  instructions: [],
  dirty: [],
}

const nobody = () => Promise.reject(new Error('nobody works here'))

describe('the system prompt and the default tools', () => {
  it(`fit into ${BAR_BYTES} bytes in every dialect, and are the same bytes every time`, async () => {
    const rig = await createRig()
    const web = createWebTools({ userAgent: '', ways: nobody }, {} as never)
    const all = [
      ...rig.tools,
      createLsp({ of: nobody }, id => id as never),
      ...web,
      ...createSubagentTools({ run: nobody, generate: nobody }),
    ]
    try {
      const request = {
        model: 'x/y',
        effort: 'auto' as const,
        system: systemPrompt(here),
        messages: [],
        tools: describeTools(offeredOf(all)),
        maxOutputTokens: null,
      }
      for (const [name, dialect] of Object.entries(dialects)) {
        const { json } = dialect.body(request, null)
        expect(Buffer.byteLength(json), name).toBeLessThanOrEqual(BAR_BYTES)
        expect(dialect.body({ ...request, tools: describeTools(offeredOf(all)) }, null).json).toBe(json)
      }
    } finally {
      await rig.end()
    }
  })
})
