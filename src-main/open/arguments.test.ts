/** What the arguments of a start mean. */
import { expect, it } from 'vitest'
import { readArguments } from './arguments.ts'

it.each([
  ['nothing', [], [], false],
  ['a dash', ['-'], [], false],
  ['a window', ['--new-window'], [], true],
  ['several', ['a', 'b.ts:3', 'belay://session?id=ses_1'], ['a', 'b.ts:3', 'belay://session?id=ses_1'], false],
  ['switches of the browser', ['--no-sandbox', '--enable-features=a', '-psn_0_1', 'a'], ['a'], false],
  ['a name like an option', ['--new-window', '--', '--new-window', '-'], ['--new-window', '-'], true],
  ['an empty one', ['', 'a'], ['a'], false],
] as const)('%s', (_, args, targets, newWindow) => expect(readArguments(args)).toEqual({ targets, newWindow }))
