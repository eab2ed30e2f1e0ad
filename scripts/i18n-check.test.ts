import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const { checkWords } = (await import('./i18n-check.mjs' as string)) as {
  checkWords(options: { sources: string[]; locales: string; base: string }): { faults: string[]; keys: number }
}
let base: string
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'belay-words-'))
})
afterEach(() => rm(base, { recursive: true, force: true }))

const faultsOf = async (code: string, en: object, zh: object) => {
  for (const [language, words] of Object.entries({ en, 'zh-CN': zh })) {
    await mkdir(join(base, 'locales', language), { recursive: true })
    await writeFile(join(base, 'locales', language, 'app.json'), JSON.stringify(words))
  }
  await mkdir(join(base, 'src'), { recursive: true })
  await writeFile(join(base, 'src', 'a.tsx'), code)
  return checkWords({ sources: [join(base, 'src')], locales: join(base, 'locales'), base }).faults
}

test('catalogued words pass: outright, in a choice, as data, built, plural', async () => {
  const code = `
    const pane = { title: 'app.pane' }
    export const A = () => <b title={t('app.one')} aria-label={t(on ? 'app.yes' : 'app.no')}>{t(\`app.state.\${s}\`)} · 3 {t('app.n', { count })} Belay</b>`
  const words = { pane: 'p', one: 'o', yes: 'y', no: 'n', 'state.a': 'a' }
  expect(
    await faultsOf(
      code,
      { ...words, n_one: '{{count}} x', n_other: '{{count}} xs' },
      { ...words, n_other: '{{count}} 个' },
    ),
  ).toEqual([])
})

test('literals are found where a person would read them', async () => {
  const code = `export const A = () => <p title="Hello there" placeholder={'Name'} className="not read">Some words {'more words'} <img alt={\`a picture of \${x}\`} /></p>`
  const faults = await faultsOf(code, {}, {})
  expect(faults.map(fault => fault.replace(/^src\/a\.tsx:1: /, ''))).toEqual([
    'literal title="Hello there"',
    'literal placeholder="Name"',
    'literal text "Some words"',
    'literal text "more words"',
    'literal words in alt',
  ])
})

test('missing, unknown, unused and unequal keys are found', async () => {
  const faults = await faultsOf(
    `export const a = [t('app.known'), t('app.unknown')]`,
    { known: 'k {{name}}', english: 'e', unused: 'u' },
    { known: 'k', unused: 'u' },
  )
  expect(faults).toEqual([
    '"app.known": the languages name different {{placeholders}}',
    'zh-CN lacks "app.english"',
    'src/a.tsx:1: no language has "app.unknown"',
    'nobody uses "app.english"',
    'nobody uses "app.unused"',
  ])
})

test('a sentence of the core that a language lacks, says no more, or fills otherwise', async () => {
  const { checkCoreWords } = (await import('./core-words.mjs' as string)) as {
    checkCoreWords(options: { folders: string[]; catalogue: string; name: string }): string[]
  }
  await mkdir(join(base, 'core', 'heads'), { recursive: true })
  await writeFile(join(base, 'core', 'heads', 'a.ts'), "print('To a terminal it is said so.')")
  await writeFile(
    join(base, 'core', 'b.ts'),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code of a file
    'const id = "not a sentence"; throw new BelayError("gone", `The file ${path} is gone. Nothing was done.`)',
  )
  const faultsOfCatalogue = async (words: object) => {
    await writeFile(join(base, 'xx.json'), JSON.stringify(words))
    return checkCoreWords({ folders: [join(base, 'core')], catalogue: join(base, 'xx.json'), name: 'xx' })
  }
  const said = 'The file {0} is gone. Nothing was done.'
  expect(await faultsOfCatalogue({ [said]: '{0} 没有了。' })).toEqual([])
  expect(await faultsOfCatalogue({})).toEqual([`b.ts:1: xx lacks ${JSON.stringify(said)}`])
  expect(await faultsOfCatalogue({ [said]: '没有了。' })).toHaveLength(1)
  expect(await faultsOfCatalogue({ [said]: '{0}', 'Was it?': '是' })).toHaveLength(1)
})
