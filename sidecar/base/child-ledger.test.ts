import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createChildLedger } from './child-ledger.ts'

test.runIf(process.platform === 'linux')('a child is on the ledger before anything else runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'belay-ledger-'))
  const file = join(folder, 'x.children')
  createChildLedger(file).add(process.pid)
  expect(readFileSync(file, 'utf8')).toContain(`"pid":${process.pid}`)
  await rm(folder, { recursive: true })
})
