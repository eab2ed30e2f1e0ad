/** What the README names is there: npm scripts, subcommands, settings, files and folders, variables. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { settingDefs } from '../sidecar/contract/settings-schema.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const named = (pattern: RegExp) => [...new Set([...readme.matchAll(pattern)].map(([, name = '']) => name))]
const inCode = named(/`([^`\n]+)`/g)

test('npm scripts and subcommands', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const asked = [...named(/npm (start|test)\b/g), ...named(/npm run ([\w:]+)/g)]
  expect(asked.length).toBeGreaterThan(8)
  expect(asked.filter(name => !(name in scripts))).toEqual([])
  const known = [...read('sidecar/entry/belay.ts').matchAll(/^ {2}(\w+): \{\n {4}usage/gm)].map(([, name]) => name)
  const subcommands = named(/(?:npx |`)belay ([a-z]+)/g)
  expect(subcommands.length).toBeGreaterThan(8)
  expect(subcommands.filter(name => !known.includes(name))).toEqual([])
})

test('settings', () => {
  const groups = new Set(Object.keys(settingDefs).map(key => key.split('.')[0]))
  const settings = inCode.flatMap(code => /^([a-z]+\.[a-zA-Z]+)(?::|$)/.exec(code)?.[1] ?? [])
  const meant = settings.filter(name => groups.has(name.split('.')[0]) && !existsSync(join(root, name)))
  expect(meant.length).toBeGreaterThan(4)
  expect(meant.filter(name => !(name in settingDefs))).toEqual([])
})

test('files, folders and benches', () => {
  const rows = [...readme.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
  expect(rows.length).toBeGreaterThan(15)
  // In a row the first is whole, those after it lie beside it.
  const inRows = rows.flatMap(row => {
    const [first = '', ...others] = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name.replace(/\/\*$/, ''))
    return [first, ...others.map(name => (name.includes('/') ? name : join(dirname(first), name)))]
  })
  const elsewhere = inCode.filter(name => /^(?:resources|scripts|sidecar|src-[a-z]+|e2e|bench)\/[\w./-]+$/.test(name))
  const files = [
    ...inRows,
    ...elsewhere,
    ...named(/node ((?:scripts|bench)\/[\w.-]+)/g),
    ...named(/!\[[^\]]*\]\(([^)]+)\)/g),
  ]
  expect(files.filter(name => !existsSync(join(root, name)))).toEqual([])
  const benches = [...read('bench/README.md').matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name)
  const here = readdirSync(join(root, 'bench')).flatMap(name => /^(\w+)(?:\.bench\.ts|\.mjs)$/.exec(name)?.[1] ?? [])
  expect(benches.sort()).toEqual(here.filter(name => name !== 'run').sort())
})

test('variables of Belay’s own', () => {
  const sources = ['sidecar', 'src-main', 'scripts', 'packaging', 'e2e'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.m?ts$|\.mjs$/.test(name) && !/\.test\.ts$/.test(name))
      .map(name => join(folder, name)),
  )
  const texts = [...sources, 'electron.vite.config.ts'].map(read).join('\n')
  const variables = named(/\b(BELAY_[A-Z_]+)/g)
  expect(variables.length).toBeGreaterThan(6)
  expect(variables.filter(name => !texts.includes(name))).toEqual([])
})
