/** The strict command line: every spelling it takes, and what it says to the rest. */
import { expect, it } from 'vitest'
import { nearest } from '../../base/nearest.ts'
import { splitTools } from './option-values.ts'
import { type Face, parseOptions, usageOf } from './options.ts'

const parseAs = (face: Face, args: string[]) => {
  const parsed = parseOptions(face, args, nearest)
  return 'problem' in parsed ? parsed.problem : parsed.options
}
const parse = (...args: string[]) => parseAs('run', args)

it('takes both spellings, lists in pieces, and the prompt anywhere', () => {
  expect(
    parse(
      '--allowedTools',
      'read,edit(a,b)',
      'do it',
      '--allowed-tools=bash(git log *)',
      '--permission-mode',
      'accept-edits',
      '--max-turns=3',
      '--outputFormat',
      'json',
      '--model',
      'scripted/default',
      '--cwd',
      '/x',
    ),
  ).toMatchObject({
    prompt: 'do it',
    model: 'scripted/default',
    mode: 'acceptEdits',
    allowedTools: ['read', 'edit(a,b)', 'bash(git log *)'],
    disallowedTools: [],
    maxTurns: 3,
    output: 'json',
    cwd: '/x',
    trust: false,
    bare: false,
    help: false,
  })
  expect(
    parse(
      ...['--max-budget-usd', '0.5', '--resume', 'ses_a', '--add-dir', 'a', '--addDir=b', '--verbose', '--bare'],
      ...['--fallbackModel', 'a/b', '--json-schema', '{"type":"object"}'],
    ),
  ).toMatchObject({
    maxBudgetUsd: 0.5,
    resume: 'ses_a',
    addDirs: ['a', 'b'],
    verbose: true,
    bare: true,
    fallbackModel: 'a/b',
    jsonSchema: { type: 'object' },
  })
  expect(parse('--session-id', '585e26dd-88ce-468c-a5ed-c78d354ca4ef')).toMatchObject({
    sessionId: 'ses_585e26dd-88ce-468c-a5ed-c78d354ca4ef',
  })
  expect(parse('--trust', 'x')).toMatchObject({ trust: true, prompt: 'x' })
  expect(parse('--trsut')).toContain('Did you mean --trust?')
  expect(parse('--', '--not a flag')).toMatchObject({ prompt: '--not a flag' })
  expect(parse()).toMatchObject({ prompt: null, allowedTools: null, mode: null })
})

it.each([
  [['--modle', 'a/b'], /--modle is no option.*Did you mean --model\?/],
  [['--allowtools', 'x'], /--allowtools is no option/],
  [['--model'], /--model needs a value/],
  [['--model', 'gpt'], /has no provider/],
  [['--model', 'a/b', '--model', 'a/c'], /given twice/],
  [['--permission-mode', 'yolo'], /--permission-mode is one of plan, default/],
  [['--output-format', 'xml'], /text, json or stream-json/],
  [['--max-budget-usd', '-1'], /an amount in dollars/],
  [['--session-id', 'a b'], /is the id of a session/],
  [['--resume', 'ses_a', '--continue'], /--resume and --continue name two sessions/],
  [['--json-schema', '[1]'], /is a JSON Schema/],
  [['--verbose=yes'], /--verbose takes no value/],
  [['--replay-user-messages'], /is an option of belay stream, not of belay run/],
  [['--max-turns', '0'], /whole number/],
  [['--max-turns', '2x'], /whole number/],
  [['--allowedTools', 'rm -rf'], /is no tool/],
  [['two', 'words'], /put it in quotes/],
])('%j is refused', (args, words) => {
  expect(parse(...args)).toMatch(words)
})

it('splits lists outside patterns only', () => {
  expect(splitTools('a, b(c,d(e,f)),,g')).toEqual(['a', 'b(c,d(e,f))', 'g'])
})

it('knows quotes in a pattern', () => {
  expect(splitTools('bash(echo "a),b"),read')).toEqual(['bash(echo "a),b")', 'read'])
})

it('belay stream has its own words, and takes no prompt', () => {
  expect(parseAs('stream', ['--replay-user-messages', '--permission-prompts'])).toMatchObject({
    replay: true,
    asks: true,
  })
  expect(parseAs('stream', ['hello'])).toMatch(/takes its prompts on stdin/)
  expect(parseAs('stream', ['--output-format', 'json'])).toMatch(/is an option of belay run, not of belay stream/)
  expect(usageOf('run')).toContain('--json-schema schema')
  expect(usageOf('stream')).not.toContain('--output-format')
})
