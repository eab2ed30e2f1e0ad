/** What bash runs is among what was read of it, or the text was not understood: held against the real bash. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readScript, type Simple } from './read-script.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'belay-shell-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = { cwd: '/w', home: '/home/person' }
/** Every program that would run, by name and arguments: none is found, and bash says what it looked for. */
function runByBash(text: string): string[][] {
  const told = '() { printf \'%s\\0\' "$#" "$@" >&7; }'
  const { output } = spawnSync('/bin/bash', ['--noprofile', '--norc', '-c', text], {
    cwd: folder,
    env: { PATH: '/nowhere', HOME: '/home/person', 'BASH_FUNC_command_not_found_handle%%': told },
    stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'pipe'],
    timeout: 5000,
    killSignal: 'SIGKILL',
  })
  const fields = String(output[7] ?? '').split('\0')
  const ran: string[][] = []
  for (let at = 0; at < fields.length - 1; ) {
    const count = Number(fields[at])
    ran.push(fields.slice(at + 1, at + 1 + count))
    at += 1 + count
  }
  return ran
}

/** A word that is not known may be any number of words. */
function couldBe(simple: Simple, ran: readonly string[]): boolean {
  const fits = (i: number, j: number): boolean => {
    const word = simple.argv[i]
    if (!word) return j === ran.length
    if (word.text === null || word.glob || word.pipe) return fits(i + 1, j) || (j < ran.length && fits(i, j + 1))
    return ran[j] === word.text && fits(i + 1, j + 1)
  }
  return fits(0, 0)
}

async function unseen(text: string): Promise<string[][]> {
  const { commands, unknown } = await readScript(text, place)
  if (unknown !== null) return []
  return runByBash(text).filter(ran => !commands.some(simple => couldBe(simple, ran)))
}

const odd = fc.constantFrom(
  ...[
    'aa',
    'bb',
    'x=',
    '1',
    '-e',
    ' ',
    ' ',
    '\n',
    ';',
    '&',
    '&&',
    '||',
    '|',
    '(',
    ')',
    '{ ',
    '; }',
    '$(',
    ')',
    '`',
    "'",
  ],
  ...['"', '\\', '$', '${', '}', '=', '<', '>', '>&2', '2>', '<<EOF\n', '\nEOF\n', '#', '!', '*', '~', '<<<', '\\\n'],
  ...[
    ' \\\n',
    '((',
    '))',
    '|&',
    ';;',
    ',',
    '{',
    '[',
    ']',
    ':',
    '\t',
    '?',
    '>|',
    '&>',
    '<&-',
    "<<'EOF'\n",
    'é',
    '@',
    '-',
  ],
)
const { script } = fc.letrec<{ script: string; statement: string; word: string }>(tie => ({
  word: fc
    .array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.constantFrom('aa', 'b', 'c1', '-x', '=', '.', '/', '+', ',', ':', '%', '~', '{}', 'é', '@'),
        },
        {
          weight: 3,
          arbitrary: fc.constantFrom(
            "'q r'",
            "''",
            '""',
            '"s t"',
            '"$x"',
            '$x',
            `$\{x}`,
            `$\{x:-d}`,
            '"a\\"b"',
            "'\"'",
          ),
        },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            '\\ ',
            '\\;',
            '\\$',
            '\\\\',
            '\\"',
            "\\'",
            '*',
            '?',
            '{e,f}',
            '#',
            '!',
            '"\\\\"',
            "$'n'",
          ),
        },
        { weight: 1, arbitrary: tie('script').map(inner => `$(${inner})`) },
        { weight: 1, arbitrary: tie('script').map(inner => `"g $(${inner})"`) },
        { weight: 1, arbitrary: tie('script').map(inner => `<(${inner})`) },
        {
          weight: 1,
          arbitrary: fc.constantFrom('`hh`', '`hh ii`', '$((1))', '$((1+2))', `"$\{x#y}"`, '$1', '$?', '$', '"$"'),
        },
      ),
      { minLength: 1, maxLength: 3, size: 'small' },
    )
    .map(pieces => pieces.join('')),
  statement: fc.oneof(
    { depthSize: 'xsmall', withCrossShrink: true },
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          fc.constantFrom('', '', '', 'v=1 ', 'v= '),
          fc.constantFrom('jj', 'kk', 'll'),
          fc.array(tie('word'), { maxLength: 3 }),
        )
        .map(([env, name, words]) => `${env}${[name, ...words].join(' ')}`),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          tie('statement'),
          fc.constantFrom('>/dev/null', '2>&1', '<<<"m n"', '>&2', '< /dev/null', '2>/dev/null', '&>/dev/null'),
        )
        .map(parts => parts.join(' ')),
    },
    { weight: 1, arbitrary: tie('script').map(inner => `(${inner})`) },
    { weight: 1, arbitrary: tie('script').map(inner => `{ ${inner}; }`) },
    { weight: 1, arbitrary: tie('statement').map(inner => `! ${inner}`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('script'), tie('script')).map(([a, b]) => `if ${a}; then ${b}; else ${a}; fi`),
    },
    { weight: 1, arbitrary: fc.tuple(tie('word'), tie('script')).map(([a, b]) => `for i in ${a} o; do ${b}; done`) },
    { weight: 1, arbitrary: fc.tuple(tie('word'), tie('script')).map(([a, b]) => `case ${a} in *) ${b};; esac`) },
    { weight: 1, arbitrary: fc.tuple(tie('word'), tie('statement')).map(([a, b]) => `cat <<EOF | ${b}\n${a}\nEOF`) },
    { weight: 1, arbitrary: fc.tuple(tie('word'), tie('statement')).map(([a, b]) => `${b} <<'EOF'\n${a}\nEOF\n`) },
  ),
  script: fc
    .array(fc.tuple(tie('statement'), fc.constantFrom(';', ' ; ', '&&', ' || ', ' | ', '\n', ' & ', ' # p\n', '; ')), {
      minLength: 1,
      maxLength: 3,
      size: 'small',
    })
    .map(parts => parts.flat().slice(0, -1).join('')),
}))
/** Sound scripts, and scripts with a few odd things put in or a piece taken out. */
const text = fc.tuple(script, fc.array(fc.tuple(fc.nat(), fc.nat(3), odd), { maxLength: 3 })).map(([sound, changes]) =>
  changes.reduce((now, [at, cut, put]) => {
    const start = at % (now.length + 1)
    return now.slice(0, start) + put + now.slice(start + cut)
  }, sound),
)

describe('what bash runs', () => {
  /** Each was read wrongly once. */
  it.each([
    'aa [] b',
    "kk 'q r'\\;",
    'll é<(jj).',
    '! for i in a; do kk; done',
    "kk <<''\n`hh ii`~\nEOF",
    'jj a == ; kk',
    'é= kk',
    '1b= kk',
    'jj "$ $(ll)"',
    'cat <<EOF | { ll; }\né+\nEOF # p $(kk)',
    '{} >&2',
    'jj <<<} {} 2>&1',
    'jj <(kk) <(ll)aa',
    'aa\\\nbb',
    '# c \\\njj',
    'cat <<A <<B\n`jj`\nA\n`kk`\nB\n',
  ])('%j is read as bash does, or not at all', async each => {
    expect(await unseen(each)).toEqual([])
  })

  it('is among what was read, or the text was not understood', async () => {
    const runs = Number(process.env.BELAY_SHELL_RUNS ?? 60)
    await fc.assert(
      fc.asyncProperty(text, async each => {
        expect(await unseen(each)).toEqual([])
      }),
      { numRuns: runs, interruptAfterTimeLimit: 1_000_000 },
    )
  }, 1_000_000)
})
