/** Plants one import for every ordered pair of rooms and compares the verdicts with the table: the rules must forbid and allow exactly it. */
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { cruise, root } from './cruise.mjs'

const { rooms } = createRequire(import.meta.url)('./rooms.cjs')
const FEATURE = 'src-renderer/features/([^/]+)/'
const garden = join(root, '.matrix-run')

const names = [
  ...Object.keys(rooms).flatMap(name =>
    name === FEATURE ? ['src-renderer/features/aaa/', 'src-renderer/features/bbb/'] : [name],
  ),
  'sidecar/agent/ports.ts',
]
const fileOf = name => (name.endsWith('/') ? `${name}target.ts` : name)
const keyOf = name => (name.startsWith('src-renderer/features/') && name.endsWith('/') ? FEATURE : name)
const isAllowed = (from, to) =>
  fileOf(to).startsWith(from) ||
  rooms[keyOf(from)]
    .map(allowed => allowed.replace('$1', from.split('/')[2]))
    .some(allowed => fileOf(to).startsWith(allowed))
const plant = (path, text) => {
  mkdirSync(dirname(join(garden, path)), { recursive: true })
  writeFileSync(join(garden, path), text)
}

rmSync(garden, { recursive: true, force: true })
mkdirSync(garden)
const expected = new Map()
try {
  for (const file of ['tsconfig.json', 'package.json']) cpSync(join(root, file), join(garden, file))
  symlinkSync(join(root, 'node_modules'), join(garden, 'node_modules'), 'junction')
  for (const name of names) plant(fileOf(name), 'export type X = 1\n')
  for (const from of names.filter(name => name.endsWith('/')))
    names.forEach((to, i) => {
      const probe = `${from}probe-${i}.ts`
      const path = relative(dirname(probe), fileOf(to))
      plant(probe, `import type { X } from '${path.startsWith('.') ? path : `./${path}`}'\nexport type Y = X\n`)
      expected.set(probe, { allowed: isAllowed(from, to), from, to })
    })
  const { violations } = cruise(garden, ['sidecar', 'src-main', 'src-preload', 'src-renderer'])
  const refused = new Set(violations.map(violation => violation.from))
  const wrong = [...expected].filter(([probe, { allowed }]) => allowed === refused.has(probe))
  for (const [, { from, to, allowed }] of wrong.slice(0, 12))
    console.error(`matrix: ${from} -> ${to} should be ${allowed ? 'allowed' : 'refused'} and is not`)
  if (wrong.length > 0 || expected.size < 500) process.exitCode = 1
  else console.log(`matrix: ${expected.size} pairs of rooms, every verdict as the table says`)
} finally {
  rmSync(garden, { recursive: true, force: true })
}
