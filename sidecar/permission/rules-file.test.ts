import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lineOf } from './rule.ts'
import { createRulesFiles, type RulesFiles } from './rules-file.ts'

let home: string
let root: { absolute: string; slashed: string }
let files: RulesFiles
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'belay-rules-'))
  const folder = join(home, 'project')
  root = { absolute: folder, slashed: folder.split('\\').join('/') }
  files = createRulesFiles({ config: join(home, 'config'), data: join(home, 'data') }, () => {})
})
afterEach(() => rm(home, { recursive: true, force: true }))

const userFile = () => join(home, 'config', 'rules.json')
async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
const lines = async () => {
  const { rules, problems } = await files.load([root])
  return {
    rules: rules.map(rule => `${lineOf(rule)}${rule.line === undefined ? '' : ` at ${rule.line}`}`),
    problems: problems.map(({ line, message }) => `${line}: ${message}`),
  }
}

const mixed = `{
  // a comment
  "v": 1,
  "rules": [
    { "tool": "bash", "verdict": "deny", "pattern": "git push *" },
    { "tool": "bash", "verdict": "allow", "patern": "npm *" },
    { "tool": "edit", "verdict": "denny", "pattern": "docs/**" },
    { "tool": "read", "verdict": "ask", "priority": "high" },
    "deny everything",
    { "tool": "edit", "verdict": "allow", "pattern": "src/**" },
  ],
}
`

describe('a file with bad lines', () => {
  it('keeps its good ones and names the others; what may have forbidden asks, what would have allowed is gone', async () => {
    await write(userFile(), mixed)
    expect(await lines()).toEqual({
      rules: [
        'deny bash(git push *) [user] at 5',
        'ask edit [user] at 7',
        'ask read [user] at 8',
        'ask * [user] at 9',
        'allow edit(src/**) [user] at 10',
      ],
      problems: [
        '6: "patern" is nothing that a rule has. Did you mean "pattern"?',
        '7: "verdict" is "allow", "ask" or "deny".',
        '8: "priority": Invalid input: expected number, received string.',
        '9: A rule is { "tool": "bash", "verdict": "deny", "pattern": "git push *" }.',
      ],
    })
  })

  it('with a mistake in the JSON itself everything asks, and what could be read as a deny still denies', async () => {
    await write(userFile(), '{ "v": 1, "rules": [ { "tool": "bash", "verdict": "deny" } { "tool" ')
    const { rules, problems } = await lines()
    expect(rules).toEqual(expect.arrayContaining(['ask * [user]', 'deny bash [user] at 1']))
    expect(problems[0]).toMatch(/^1: Line 1: /)
  })

  it.each([
    ['nothing', ''],
    ['a list', '[]'],
    ['another version', '{ "v": 2, "rules": [] }'],
    ['no list', '{ "v": 1, "rules": {} }'],
  ])('%s makes everything ask', async (_, text) => {
    await write(userFile(), text)
    const { rules, problems } = await lines()
    expect(rules).toEqual(['ask * [user]'])
    expect(problems).toHaveLength(1)
  })

  it('is never written to, so that nothing in it is lost', async () => {
    await write(userFile(), mixed)
    await expect(files.add(null, { tool: 'bash', verdict: 'allow', pattern: 'ls' })).rejects.toThrow(/"patern"/)
    await expect(files.remove(null, { tool: 'bash', verdict: 'deny', pattern: 'git push *' })).rejects.toThrow(/Mend/)
    expect(await readFile(userFile(), 'utf8')).toBe(mixed)
  })
})

it('takes rules in and out without touching the comments around them', async () => {
  const text =
    '{\n  "v": 1,\n  "rules": [\n    // mine\n    { "tool": "edit", "verdict": "ask", "pattern": "a" }\n  ]\n}\n'
  await write(userFile(), text)
  const rule = {
    tool: 'bash',
    verdict: 'allow' as const,
    pattern: 'npm test',
    bound: { what: 'package.json', hash: 'h' },
  }
  await files.add(null, rule)
  await files.add(null, rule)
  await files.add(root, { tool: 'edit', verdict: 'deny', pattern: 'secret/**' })
  expect((await lines()).rules).toEqual([
    'ask edit(a) [user] at 5',
    expect.stringMatching(/^allow bash\(npm test\) \[user\] at \d+$/),
    'deny edit(secret/**) [here] at 5',
  ])
  await files.remove(null, rule)
  await files.remove(root, { tool: 'edit', verdict: 'deny', pattern: 'secret/**' })
  expect((await lines()).rules).toEqual(['ask edit(a) [user] at 5'])
  expect(await readFile(userFile(), 'utf8')).toContain('// mine')
})

it('many adds at once lose none', async () => {
  const patterns = Array.from({ length: 20 }, (_, i) => `p${i}`)
  await Promise.all(patterns.map(pattern => files.add(root, { tool: 'edit', verdict: 'allow', pattern })))
  expect((await files.load([root])).rules.map(({ pattern }) => pattern).sort()).toEqual([...patterns].sort())
})
