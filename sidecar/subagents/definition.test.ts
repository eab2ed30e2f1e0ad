/** Agents as they are written: what is taken, what is refused with which line and words, and what has no effect. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInAgents } from './built-in.ts'
import { parseAgent } from './definition.ts'
import { entitledTo } from './entitlement.ts'

const toolNames = ['read', 'write', 'edit', 'list', 'glob', 'grep', 'bash', 'task', 'generate', 'propose_plan']
const parse = (text: string, scope: 'user' | 'workspace' = 'user', fileName = 'helper') =>
  parseAgent(text, { fileName, scope, toolNames })
const agent = (...lines: string[]) => ['---', 'description: helps', ...lines, '---', 'You help.'].join('\n')
/** `line: words` of what is wrong with it. */
const fault = async (text: string, fileName?: string) => {
  const parsed = await parse(text, 'user', fileName)
  return parsed.ok ? null : `${parsed.line}: ${parsed.message}`
}

describe('an agent', () => {
  it('is front matter and a body; its name may be that of its file', async () => {
    const text = [
      '\uFEFF---',
      'name: Reviewer_2',
      'description: >',
      '  reviews',
      '  changes',
      'model: anthropic/claude-sonnet-5',
      'tools: [Read, grep]',
      'disallowedTools:',
      '  - bash',
      'permissionRules:',
      '  - { tool: edit, verdict: deny, pattern: "docs/**" }',
      'hidden: true',
      '---',
      '',
      'You review.',
      '---',
      'Still you.',
    ].join('\r\n')
    expect(await parse(text)).toEqual({
      ok: true,
      agent: {
        name: 'Reviewer_2',
        description: 'reviews changes',
        model: 'anthropic/claude-sonnet-5',
        tools: ['read', 'grep'],
        disallowedTools: ['bash'],
        permissionRules: [{ tool: 'edit', verdict: 'deny', pattern: 'docs/**', priority: 0 }],
        hidden: true,
        body: 'You review.\n---\nStill you.',
      },
      nameLine: 2,
      notes: [],
    })
    expect(await parse(agent('tools: Read, Grep'))).toMatchObject({
      agent: { name: 'helper', model: null, tools: ['read', 'grep'], hidden: false, permissionRules: [] },
    })
    expect(await parse(agent())).toMatchObject({ agent: { tools: [] } })
  })

  it('is refused with the line and what would have worked', async () => {
    const faults = [
      'You help.',
      '---\ndescription: x',
      '---\ndescription: helps\nname: [a\n---\nx',
      '---\n- a\n---\nx',
      '---\n---\nx',
      '---\nname: x\n---\nx',
      '---\ndescription: helps\n---\n\n',
      agent('description: twice'),
      agent('x: &a [read]', 'tools: *a'),
      agent('name: my agent'),
      agent('model: sonnet'),
      agent('tools: 7'),
      agent('hidden: often'),
      agent('', 'dissalowedTools: [bash]'),
      agent('disallowed_tools: [bash]'),
      agent('permissionMode: plan'),
      agent('mcpServers: {}'),
      agent('frobnicate: 1'),
      agent('disallowedTools: [read, bsh]'),
      agent('permissionRules:', '  - { tool: edit, verdict: deny }', '  - { tool: edti, verdict: deny }'),
      agent('permissionRules: [{ toolName: edit, behavior: deny }]'),
      agent('permissionRules:', '  - tool: edit', '    verdict: never'),
      agent('permissionRules: all'),
    ]
    expect(await Promise.all(faults.map(text => fault(text)))).toMatchInlineSnapshot(`
      [
        "1: An agent begins with a line of three dashes (---), then \`description:\` and the like, then three dashes.",
        "1: The lines at the top have no end: close them with a line of three dashes (---).",
        "3: Flow sequence in block collection must be sufficiently indented and end with a ].",
        "2: The lines at the top are written as \`name: value\`, one a line.",
        "1: A line \`description:\` is missing: one to 1000 characters that say when this agent is the right one.",
        "1: A line \`description:\` is missing: one to 1000 characters that say when this agent is the right one.",
        "1: There is no text below the front matter: it tells the agent who it is.",
        "3: Map keys must be unique.",
        "2: Anchors and aliases (& and *) are not taken here: write the value out.",
        "3: \`name\` must be up to 64 letters, digits, - and _, beginning with a letter or digit.",
        "3: \`model\` must be provider/model, for example anthropic/claude-sonnet-5. Without the line it is the model of whoever calls.",
        "3: \`tools\` must be a list of names, for example [read, grep].",
        "3: \`hidden\` must be true or false.",
        "4: There is no \`dissalowedTools\`. Did you mean \`disallowedTools\`?",
        "3: \`disallowed_tools\` is written \`disallowedTools\` here.",
        "3: \`permissionMode\` is not for Belay: an agent works in the mode of the session. Take the line out.",
        "3: \`mcpServers\` is not for Belay: it starts no servers for an agent. Take the line out; name the tools it may use under \`tools\`.",
        "3: There is no \`frobnicate\`. There are: name, description, model, tools, disallowedTools, permissionRules, hidden.",
        "3: There is no tool bsh. Did you mean bash?",
        "5: There is no tool edti. Did you mean edit?",
        "3: A rule has no \`toolName\`. Did you mean \`tool\`?",
        "5: A rule is wrong at \`verdict\`: Invalid option: expected one of "allow"|"ask"|"deny".",
        "3: \`permissionRules\` must be a list of rules, for example [{ tool: edit, verdict: deny, pattern: "docs/**" }].",
      ]
    `)
    expect(await fault(agent(), 'my agent')).toMatch(/^1: The file's name is no name/)
  })

  it('says what has no effect, and is an agent all the same', async () => {
    const text = agent(
      'tools: [read, mcp__jira__search, frobnicate, gerp]',
      'permissionRules: [{ tool: edit, verdict: allow }]',
    )
    expect(await parse(text, 'workspace')).toMatchObject({
      ok: true,
      notes: [
        { line: 3, message: 'mcp__jira__search has no effect yet: Belay does not speak to MCP servers yet.' },
        { line: 3, message: expect.stringContaining('There is no tool frobnicate. There are: read') },
        { line: 3, message: 'There is no tool gerp. Did you mean grep? The agent does without it.' },
        { line: 4, message: expect.stringContaining('may only tighten') },
      ],
    })
  })

  it('of any text is an agent or a fault with a line of that text, never a throw', async () => {
    const piece = fc.constantFrom(
      '---\n',
      'name: a\n',
      'tools: ',
      '[',
      '{',
      '*a',
      '&a ',
      '!!js/f x',
      'description: d\n',
      '- ',
      '"',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string({ unit: 'grapheme' })), { maxLength: 12 }), async pieces => {
        const text = `---\n${pieces.join('')}`
        const parsed = await parse(text)
        if (!parsed.ok) expect(parsed.line).toBeLessThanOrEqual(text.split('\n').length + 1)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the list of tools', () => {
  const of = (tools: string[], disallowedTools: string[] = []) => entitledTo({ tools, disallowedTools }, toolNames)

  it('is all there is', () => {
    expect(of([])).toEqual([])
    expect(of(['edit'])).toEqual(['read', 'edit'])
    expect(of(['edit'], ['read'])).toEqual(['edit'])
    expect(of(['*'])).toEqual(['read', 'write', 'edit', 'list', 'glob', 'grep', 'bash', 'task'])
    expect(of(['*', 'generate'], ['BASH', 'write'])).toEqual([
      'read',
      'edit',
      'list',
      'glob',
      'grep',
      'task',
      'generate',
    ])
    expect(of(['*', 'bash'], ['*'])).toEqual([])
    expect(of(['mcp__x__y', 'nothing'])).toEqual([])
  })

  it('never grows by forbidding more', () => {
    const some = fc.subarray(['*', ...toolNames, 'mcp__a__b'])
    fc.assert(
      fc.property(some, some, some, (tools, refused, more) => {
        const before = new Set(of(tools, refused))
        expect(of(tools, [...refused, ...more]).every(name => before.has(name) && !more.includes(name))).toBe(true)
      }),
    )
  })
})

describe('the built-in agents', () => {
  it('are agents', async () => {
    const all = await builtInAgents(toolNames)
    expect(all.map(({ name, hidden }) => `${name}${hidden ? ' (hidden)' : ''}`)).toEqual([
      'bash',
      'commit-message (hidden)',
      'explore',
      'general',
      'plan',
    ])
    for (const name of ['explore', 'plan']) {
      const found = all.find(each => each.name === name)
      expect(found && entitledTo(found, toolNames)).toEqual(['read', 'list', 'glob', 'grep'])
    }
  })
})
