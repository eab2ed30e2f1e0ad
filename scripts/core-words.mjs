/**
 * The core speaks English, and so do main and the window's way to both; whoever shows it in another language looks their
 * sentences up (`sidecar/contract/localize.ts`). This finds every one that is said to a person, `${…}` as `{0}`, and
 * what a language lacks of them.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import ts from 'typescript'

/** Rooms and files that speak to a terminal, to a model, or in languages of their own. */
const elsewhere = [
  /^(heads|entry|tools|subagents)\//,
  /^agent\/(prompt|rare-tools|context|arguments|judge|advice)\.ts$/,
  /^model\/guide\//,
  /^session\/(fork\/fork-note|exchange\/markdown)\.ts$/,
  /^knowledge\/remember\.ts$/,
  // What these say of themselves is for whoever mends Belay.
  /^(base\/supervised|sandbox\/(linux|macos)|supervise\/examine|trusted-types|window\/bounds)\.ts$/,
]
/** Sentences to a model in files that otherwise speak to a person. */
const toModel = [
  /^(Now write the notes|Count from one|This is a test of|Reports that|The person calls on|The changes go on|The person asks that|You said)/,
  /^\{0\} more files are left out|^\{0\}\n\(cut after/,
]
/** Of those the few that a window shows as they are. */
const shown = [/^tools\/web\/search\.ts$/]

/** `Nothing was sent.`, `{0}: it was moved.`, `Could not open {0}`; and what such a sentence begins with: `Not committed`. */
const isSentence = text =>
  (/^[A-Z{“]/.test(text) && /[a-z’”}] [a-z{“]/.test(text) && (/[.?!)]$/.test(text.trim()) || goesOn.test(text))) ||
  /^(Not|Nothing) [a-z]+( [a-z]+)*$/.test(text)

/** What was put in at the end ends it. */
const goesOn = /[a-z]{2}.*( [a-z]+|[a-z)}][.:;,]) ?(\{\d\})+$/

/** Why a command is asked about, as a part of a sentence: `it sets the clock`. */
const isReason = (file, text) =>
  /^permission\/(shell\/|git-config)/.test(file) &&
  /^(it|its|an?|the|of|shells|arithmetic|where|which(?! type)|what|-O|\{0\} (is|may|makes|changes)) /.test(text) &&
  /[a-z)}]$/.test(text)

function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return null
  return node.head.text + node.templateSpans.map((span, at) => `{${at}}${span.literal.text}`).join('')
}

/** `{ sentences: Map(text -> place), texts: Set }` of some folders: what must be in every language, and every text that may be. */
export function coreSentences(folders) {
  const sentences = new Map()
  const texts = new Set()
  for (const { folder, file } of folders.flatMap(filesIn)) {
    const isShown = shown.some(each => each.test(file)) || !elsewhere.some(each => each.test(file))
    const source = ts.createSourceFile(file, readFileSync(join(folder, file), 'utf8'), ts.ScriptTarget.Latest, true)
    const visit = node => {
      const text = textOf(node)
      if (text !== null) texts.add(text)
      if (
        text !== null &&
        isShown &&
        (isSentence(text) || isReason(file, text)) &&
        !toModel.some(each => each.test(text)) &&
        !sentences.has(text)
      )
        sentences.set(text, `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`)
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return { sentences, texts }
}

const filesIn = folder =>
  readdirSync(folder, { recursive: true })
    .map(file => file.split(sep).join('/'))
    .filter(file => /\.ts$/.test(file) && !/\.(test|case|d)\.ts$/.test(file))
    .map(file => ({ folder, file }))

/** Faults of one language's catalogue, each with its place. */
export function checkCoreWords({ folders, catalogue, name }) {
  const { sentences, texts } = coreSentences(folders)
  const words = JSON.parse(readFileSync(catalogue, 'utf8'))
  // In order, so that two changes rarely meet.
  const keys = Object.keys(words)
  const unsorted = keys.find((key, at) => at > 0 && key < keys[at - 1])
  const holes = text => [...new Set(text.match(/\{\d\}/g) ?? [])].sort().join()
  return [
    ...(unsorted === undefined ? [] : [`${name}: not in order at ${JSON.stringify(unsorted)}`]),
    ...[...sentences].flatMap(([text, place]) =>
      Object.hasOwn(words, text) ? [] : [`${place}: ${name} lacks ${JSON.stringify(text)}`],
    ),
    ...Object.entries(words).flatMap(([english, text]) => [
      ...(texts.has(english) ? [] : [`${name}: the core does not say ${JSON.stringify(english)} (any more)`]),
      ...(holes(english) === holes(text) ? [] : [`${name}: other holes than in ${JSON.stringify(english)}`]),
    ]),
  ]
}
