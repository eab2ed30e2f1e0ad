/** The strict command line: every spelling it takes, and what it says to the rest. */
import { expect, it } from 'vitest'
import { nearest } from '../../base/nearest.ts'
import { parseArguments, splitTools } from './arguments.ts'

const parse = (...args: string[]) => {
  const parsed = parseArguments(args, nearest)
  return 'problem' in parsed ? parsed.problem : parsed.arguments
}

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
  ).toEqual({
    prompt: 'do it',
    model: 'scripted/default',
    mode: 'acceptEdits',
    allowedTools: ['read', 'edit(a,b)', 'bash(git log *)'],
    disallowedTools: [],
    maxTurns: 3,
    output: 'json',
    cwd: '/x',
    trust: false,
    help: false,
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
  [['--output-format', 'xml'], /text or json/],
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
