/** A page's ports to the children are given away whole at both ends: what is said on them never passes main. */
import { expect, test, vi } from 'vitest'
import type { ChildName } from '../../sidecar/supervise/fork.ts'
import { servePorts } from './ports.ts'

const electron = vi.hoisted(() => ({
  ask: (..._: unknown[]) => {},
  /** A port that main may hand on, and nothing else: any other use of it throws. */
  port: (name: string) =>
    new Proxy({ name } as object, {
      get: (_, key) => (key === 'name' ? name : expect.fail(`main used ${String(key)}`)),
    }),
}))
vi.mock('electron', () => ({
  ipcMain: { on: (_: string, ask: typeof electron.ask) => Object.assign(electron, { ask }) },
  MessageChannelMain: class {
    readonly port1 = electron.port('childs')
    readonly port2 = electron.port('pages')
  },
}))

test('each channel has one port, for the child that it names, as soon as that is there', () => {
  const given: unknown[] = []
  const ready = new Set<ChildName>(['pty-host'])
  const changed: (() => void)[] = []
  const supervisor = {
    target: (child: ChildName) => (ready.has(child) ? { path: '', token: '' } : null),
    handOver: (child: ChildName, { name }: { name: string }) => given.push([child, name]) > 0,
    changed: { on: (listener: () => void) => changed.push(listener) },
  }
  const options = { hostOf: () => ({}), epoch: 'e', version: '0', log: () => {}, supervisor }
  servePorts(options as unknown as Parameters<typeof servePorts>[0])
  const mainFrame = { origin: 'app://belay', url: 'app://belay/' }
  const postMessage = (_: string, id: string, ports: { name: string }[]) =>
    given.push([id, ...ports.map(each => each.name)])
  const sender = { id: 1, mainFrame, isDestroyed: () => false, postMessage }
  for (const [channel, id] of [
    ['pty', 'p-1'],
    ['sidecar', 's-1'],
    ['sidecar', 's-2'],
  ])
    electron.ask({ sender, senderFrame: mainFrame }, channel, id)
  const terminals = [
    ['pty-host', 'childs'],
    ['p-1', 'pages'],
  ]
  expect(given).toEqual(terminals)
  ready.add('sidecar')
  for (const told of [...changed, ...changed]) told()
  expect(given).toEqual([...terminals, ['sidecar', 'childs'], ['s-2', 'pages']])
})
