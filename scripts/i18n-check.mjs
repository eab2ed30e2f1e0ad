/**
 * Words: no literal in JSX that a person would read, no key that one language lacks, none that is unknown, none that nobody
 * uses; nor a sentence of the core that a language lacks. Prints every fault with its place; `node scripts/i18n-check.mjs`, exit 1 on any.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { checkCoreWords } from './core-words.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const languages = ['en', 'zh-CN']
/** Attributes that are read out or shown. */
const spoken = new Set([
  'aria-label',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'title',
  'placeholder',
  'alt',
  'label',
])
/** The product's name is the same in every language. */
const names = new Set(['Belay'])
const plural = /_(zero|one|two|few|many|other)$/

/** Text with two letters in a row is words; signs, numbers, globs (`*.ts`) and short forms (LSP, UTF-8) are not. */
export const isWords = text =>
  /\p{L}{2,}|\p{Script=Han}/u.test(text) &&
  !names.has(text.trim()) &&
  !text.includes('*') &&
  !/^[\s\P{L}]*[A-Z]{2,5}[\s\P{L}]*$/u.test(text)

/** `{ language: Map(key -> file) }`, plural endings cut. */
export function readCatalogues(folder) {
  const found = {}
  const faults = []
  for (const language of languages) {
    found[language] = new Map()
    for (const file of readdirSync(join(folder, language)).filter(name => name.endsWith('.json'))) {
      const path = join(folder, language, file)
      for (const [key, text] of Object.entries(JSON.parse(readFileSync(path, 'utf8')))) {
        if (typeof text !== 'string') faults.push(`${path}: "${key}" is not text`)
        found[language].set(`${file.slice(0, -'.json'.length)}.${key.replace(plural, '')}`, {
          path,
          text: String(text),
        })
      }
    }
  }
  return { found, faults }
}

/**
 * What one file says and asks for: faults, keys it names outright, and the beginnings of keys it builds (`settings.state.`).
 * Any string or template that begins like a key counts as a use: keys also travel as data.
 */
export function readSource(path, text, areas) {
  const source = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  )
  const faults = []
  const keys = new Map()
  const beginnings = []
  const texts = []
  const at = node => `${path}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`
  const isKey = value => areas.has(value.slice(0, value.indexOf('.'))) && /^[a-z]\w*\.[\w.-]+$/.test(value)
  const isTranslate = node =>
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't'
  // A line of the table of commands: its title is looked up by its id.
  const isCommand = node =>
    ts.isPropertyAssignment(node) &&
    ts.isStringLiteral(node.name) &&
    ts.isCallExpression(node.initializer) &&
    node.initializer.expression.getText(source) === 'command'
  const visit = node => {
    if (ts.isJsxText(node) && isWords(node.text))
      faults.push(`${at(node)}: literal text ${JSON.stringify(node.text.trim())}`)
    if (ts.isJsxAttribute(node) && spoken.has(node.name.getText(source)) && node.initializer) {
      const value = ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer
      if (value && ts.isStringLiteralLike(value) && isWords(value.text))
        faults.push(`${at(node)}: literal ${node.name.getText(source)}=${JSON.stringify(value.text)}`)
      if (
        value &&
        ts.isTemplateExpression(value) &&
        [value.head, ...value.templateSpans.map(span => span.literal)].some(part => isWords(part.text))
      )
        faults.push(`${at(node)}: literal words in ${node.name.getText(source)}`)
    }
    if (
      ts.isJsxExpression(node) &&
      node.expression &&
      ts.isStringLiteralLike(node.expression) &&
      !ts.isJsxAttribute(node.parent) &&
      isWords(node.expression.text)
    )
      faults.push(`${at(node)}: literal text ${JSON.stringify(node.expression.text)}`)
    if (isCommand(node)) keys.set(`command.${node.name.text}`, { at: at(node), asked: true })
    if (ts.isStringLiteralLike(node)) texts.push(node.text)
    if (ts.isStringLiteralLike(node) && isKey(node.text))
      keys.set(node.text, { at: at(node), asked: isTranslate(node.parent) })
    if (ts.isTemplateExpression(node) && areas.has(node.head.text.slice(0, node.head.text.indexOf('.'))))
      beginnings.push(node.head.text)
    if (isTranslate(node) && node.arguments[0] && ts.isConditionalExpression(node.arguments[0]))
      for (const branch of [node.arguments[0].whenTrue, node.arguments[0].whenFalse])
        if (ts.isStringLiteralLike(branch)) keys.set(branch.text, { at: at(branch), asked: true })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { path, faults, keys, beginnings, texts }
}

/** Placeholders of a text, sorted: both languages must ask for the same ones. */
export const placeholders = text =>
  [...new Set([...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(match => match[1]))].sort().join()

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|case|d)\.tsx?$/.test(entry.name))
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
}

/** All faults of a tree: `sources` are folders, `locales` holds a folder per language. */
export function checkWords({ sources, locales, base }) {
  const { found, faults } = readCatalogues(locales)
  const all = new Set(languages.flatMap(language => [...found[language].keys()]))
  const areas = new Set([...all].map(key => key.slice(0, key.indexOf('.'))))
  for (const key of all) {
    for (const language of languages) if (!found[language].has(key)) faults.push(`${language} lacks "${key}"`)
    const [one, other] = languages.map(language => found[language].get(key))
    if (one && other && placeholders(one.text) !== placeholders(other.text))
      faults.push(`"${key}": the languages name different {{placeholders}}`)
  }
  const used = new Set()
  const beginnings = new Set()
  for (const path of sources.flatMap(sourceFiles)) {
    const said = readSource(relative(base, path).split(sep).join('/'), readFileSync(path, 'utf8'), areas)
    faults.push(...said.faults)
    for (const [key, { at, asked }] of said.keys) {
      used.add(key)
      if (asked && !all.has(key)) faults.push(`${at}: no language has "${key}"`)
    }
    for (const beginning of said.beginnings) beginnings.add(beginning)
    // The desktop shell reads one area by its keys alone; their type is the catalogue's.
    if (said.path.startsWith('src-main/')) for (const text of said.texts) used.add(`desktop.${text}`)
  }
  for (const key of all)
    if (!used.has(key) && ![...beginnings].some(beginning => key.startsWith(beginning)))
      faults.push(`nobody uses "${key}"`)
  return { faults, keys: all.size }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { faults, keys } = checkWords({
    sources: ['src-renderer', 'src-main'].map(folder => join(root, folder)),
    locales: join(root, 'resources/locales'),
    base: root,
  })
  for (const file of readdirSync(join(root, 'resources/core-words')))
    faults.push(
      ...checkCoreWords({
        folders: ['sidecar', 'src-main', 'src-renderer/client'].map(folder => join(root, folder)),
        catalogue: join(root, 'resources/core-words', file),
        name: file,
      }),
    )
  for (const fault of faults) process.stdout.write(`${fault.replaceAll(root, '')}\n`)
  process.stdout.write(
    faults.length ? `words: ${faults.length} faults\n` : `words: ${keys} keys in ${languages.length} languages\n`,
  )
  process.exit(faults.length ? 1 : 0)
}
