/**
 * A child process for the kill test: writes one file after the other and takes a checkpoint after each, until it is killed. Says
 * what is safe on stdout: `ack <round> <checkpoint>`, one a line.
 */
import { writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLimits } from './prune.ts'
import { startStore } from './thread.ts'

const [root = '', folder = '', from = '0'] = process.argv.slice(2)
export const FILES = 5
export const textOf = (round: number): string => `${round} ${'x'.repeat((round * 977) % 40_000)}\n`

if (root !== '') {
  const store = startStore({
    ...{ root, folder, instanceId: `ins_${process.pid}`, leaveOut: [], leftOut: { allow: [], extra: [] }, eyesFrom: 2 },
    limits: defaultLimits,
    onFull: () => writeSync(2, 'the disk is full'),
    onLines: () => {},
  })
  for (let round = Number(from); ; round++) {
    writeFileSync(join(root, `f${round % FILES}`), textOf(round))
    const { id } = await store.take()
    writeSync(1, `ack ${round} ${id}\n`)
    if (round % 7 === 6) await store.rest()
  }
}
