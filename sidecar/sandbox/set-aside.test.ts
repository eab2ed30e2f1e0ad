/** What waits for a person after a command: kept whole, put back where it stood and nowhere else, or thrown away. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CallId, SessionId, WorkspaceId } from '#contract/id'
import { type AsideOf, createSetAsides, type SetAsides } from './set-aside.ts'

let base: string
let root: string
let asides: SetAsides
const faults: unknown[] = []
const at = (...names: string[]) => join(root, ...names)
const put = (path: string, content = 'mine', mode = 0o644) => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { mode })
  return path
}
const of: AsideOf = {
  workspaceId: WorkspaceId.parse('wsp_1'),
  sessionId: SessionId.parse('ses_1'),
  callId: CallId.parse('call_1'),
  ...{ command: 'npm run dev', mode: 'auto', agent: null },
}
const took = (path: string): string => asides.take(path, root, of) ?? expect.fail('it was not taken')

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'belay-aside-')))
  root = join(base, 'work')
  mkdirSync(root)
  faults.length = 0
  asides = createSetAsides(join(base, 'aside'), fault => faults.push(fault))
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

it('is out of the tree at once, waits through a restart, and comes back as it was, in folders that are made again', () => {
  put(at('sub/.vscode/tasks.json'), '{"tasks": []}', 0o600)
  symlinkSync('/etc/hostname', at('sub/.vscode/link'))
  const id = took(at('sub/.vscode'))
  expect(existsSync(at('sub/.vscode'))).toBe(false)
  rmSync(at('sub'), { recursive: true })
  asides = createSetAsides(join(base, 'aside'), fault => faults.push(fault))
  let told = 0
  asides.changed.on(() => told++)
  expect(asides.list()).toMatchObject([{ id, path: at('sub/.vscode'), root, command: 'npm run dev', mode: 'auto' }])
  expect(asides.putBack(id).path).toBe(at('sub/.vscode'))
  expect(readFileSync(at('sub/.vscode/tasks.json'), 'utf8')).toBe('{"tasks": []}')
  expect(statSync(at('sub/.vscode/tasks.json')).mode & 0o777).toBe(0o600)
  expect(readlinkSync(at('sub/.vscode/link'))).toBe('/etc/hostname')
  expect([asides.list(), told, faults]).toEqual([[], 1, []])
  expect(() => asides.putBack(id)).toThrow('put back or thrown away already')
})

it('is put over nothing, and waits on', () => {
  const id = took(put(at('.envrc')))
  put(at('.envrc'), 'another')
  expect(() => asides.putBack(id)).toThrow(/There is something at .*\.envrc by now/)
  expect(readFileSync(at('.envrc'), 'utf8')).toBe('another')
  rmSync(at('.envrc'))
  asides.putBack(id)
  expect(readFileSync(at('.envrc'), 'utf8')).toBe('mine')
})

it.skipIf(process.platform === 'win32')('is never put back through a link, whichever folder became one', () => {
  const id = took(put(at('a/b/.bashrc'), 'evil'))
  mkdirSync(join(base, 'home/b'), { recursive: true })
  for (const [folder, target] of [
    ['a/b', join(base, 'home')],
    ['a', join(base, 'home')],
  ] as const) {
    renameSync(at(folder), join(base, 'was'))
    symlinkSync(target, at(folder))
    expect(() => asides.putBack(id)).toThrow('is no folder of the workspace any more')
    rmSync(at(folder))
    renameSync(join(base, 'was'), at(folder))
  }
  renameSync(root, join(base, 'was'))
  symlinkSync(join(base, 'home'), root)
  expect(() => asides.putBack(id)).toThrow('is no folder of the workspace any more')
  expect([existsSync(join(base, 'home/.bashrc')), existsSync(join(base, 'home/b/.bashrc'))]).toEqual([false, false])
  expect(asides.list()).toHaveLength(1)
})

it.runIf(existsSync('/dev/shm'))('crosses to another file system and back', () => {
  const elsewhere = mkdtempSync('/dev/shm/belay-aside-')
  try {
    asides = createSetAsides(elsewhere, fault => faults.push(fault))
    put(at('.idea/x.xml'))
    symlinkSync('nowhere', at('.idea/link'))
    const id = took(at('.idea'))
    expect(existsSync(at('.idea'))).toBe(false)
    asides.putBack(id)
    expect(readFileSync(at('.idea/x.xml'), 'utf8')).toBe('mine')
    expect(lstatSync(at('.idea/link')).isSymbolicLink()).toBe(true)
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
})

it('is thrown away by a word, or after thirty days without one', () => {
  const ids = ['.envrc', '.mcp.json', '.npmrc'].map(name => took(put(at(name))))
  const waiting = () => asides.list().map(({ path }) => path.slice(root.length + 1))
  expect(waiting().sort()).toEqual(['.envrc', '.mcp.json', '.npmrc'])
  asides.throwAway(String(ids[1]))
  asides.prune()
  expect(waiting().sort()).toEqual(['.envrc', '.npmrc'])
  asides.prune(Date.now() + 31 * 24 * 3_600_000)
  expect(waiting()).toEqual([])
  expect(existsSync(at('.npmrc'))).toBe(false)
})

it('what cannot be moved stays and is told; a torn note is left alone', () => {
  expect(asides.take(at('nothing'), root, of)).toBeNull()
  expect(faults).toHaveLength(1)
  const id = took(put(at('.envrc')))
  writeFileSync(join(base, 'aside', id, 'note.json'), '{')
  expect(asides.list()).toEqual([])
  expect(() => asides.putBack(id)).toThrow('already')
  expect(() => asides.putBack('../work')).toThrow('already')
  expect(existsSync(join(base, 'aside', id, 'content/.envrc'))).toBe(true)
})
