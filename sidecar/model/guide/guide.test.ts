/** The guide plays whole turns with the real tools on a real folder; a small loop stands in for the agent's. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CallId } from '#contract/id'
import type { AssistantPart, ModelMessage } from '../../agent/ports.ts'
import { newId } from '../../base/id.ts'
import { createRig, type Rig } from '../../tools/rig.case.ts'
import { createGuide } from './guide.ts'
import { type IntentKind, intentOf } from './intent.ts'
import { outlineOf } from './outline.ts'

describe('intents', () => {
  const asked: [string, IntentKind, object?][] = [
    ['tour this folder', 'tour'],
    ['give me a tour of this folder', 'tour'],
    ['What is this project about?', 'tour'],
    ['带我看看这个项目', 'tour'],
    ['介绍一下这个项目', 'tour'],
    ['what is in here?', 'inside', { folder: '.' }],
    ["what's in src", 'inside', { folder: 'src' }],
    ['这里有什么', 'inside', { folder: '.' }],
    ['src 里有什么？', 'inside', { folder: 'src' }],
    ['find "hello world"', 'find', { what: 'hello world' }],
    ['where is createApp defined?', 'find', { what: 'createApp' }],
    ['查找 createApp', 'find', { what: 'createApp' }],
    ['createApp 在哪里？', 'find', { what: 'createApp' }],
    ['open src/index.ts', 'open', { what: 'src/index.ts' }],
    ['打开 package.json', 'open', { what: 'package.json' }],
    ['explain src/index.ts', 'explain', { what: 'src/index.ts' }],
    ['what does router.ts do?', 'explain', { what: 'router.ts' }],
    ['解释一下 router.ts', 'explain', { what: 'router.ts' }],
    ['run npm run build', 'run', { command: 'npm run build' }],
    ['运行 ls -la', 'run', { command: 'ls -la' }],
    ['run the tests', 'tests'],
    ['运行测试', 'tests'],
    ['replace foo with bar in a.txt', 'replace', { old: 'foo', wish: 'bar', file: 'a.txt' }],
    ['change "one two" to "three" in src/a.ts', 'replace', { old: 'one two', wish: 'three', file: 'src/a.ts' }],
    ['把 a.txt 里的 foo 换成 bar', 'replace', { old: 'foo', wish: 'bar', file: 'a.txt' }],
    ['在 a.txt 中把 foo 替换为 bar', 'replace', { old: 'foo', wish: 'bar', file: 'a.txt' }],
    ['create notes.md with "First note"', 'create', { file: 'notes.md', content: 'First note' }],
    ['create a file called empty.txt', 'create', { file: 'empty.txt', content: null }],
    ['新建文件 notes.md 内容为 第一条', 'create', { file: 'notes.md', content: '第一条' }],
    ['show my changes', 'changes'],
    ['what changed?', 'changes'],
    ['显示我的更改', 'changes'],
    ['undo that', 'undo'],
    ['撤销', 'undo'],
    ['how do I add a model?', 'addModel'],
    ['怎么添加模型', 'addModel'],
    ['what may you do?', 'abilities'],
    ['你能做什么？', 'abilities'],
    ['hello', 'hello'],
    ['你好', 'hello'],
    ['write me a poem about rivers', 'unknown'],
    ['今天天气怎么样', 'unknown'],
  ]
  it.each(asked)('%s', (text, kind, facts = {}) => expect(intentOf(text)).toEqual({ kind, ...facts }))
})

describe('outline', () => {
  it('names what a file declares, with its line', () => {
    expect(
      outlineOf('a.ts', ['export class A {', '  x() {}', '}', 'export const f = (a) => 1', 'function g() {}']),
    ).toEqual([
      { line: 1, name: 'A', what: 'class' },
      { line: 4, name: 'f', what: 'constant' },
      { line: 5, name: 'g', what: 'function' },
    ])
    expect(outlineOf('bundled.js', ['var Hono = class extends Base {', '};'])).toEqual([
      { line: 1, name: 'Hono', what: 'class' },
    ])
    expect(outlineOf('b.py', ['class B:', '  def m(self):'])).toHaveLength(2)
    expect(outlineOf('c.unknown', ['class C'])).toEqual([])
  })
})

describe('whole turns', () => {
  let rig: Rig
  const history: ModelMessage[] = []
  beforeAll(async () => {
    rig = await createRig()
    await rig.put(
      'package.json',
      JSON.stringify({ name: 'harbor', description: 'Keeps ships.', scripts: { test: 'echo tested' } }, null, 2),
    )
    await rig.put('.git/HEAD', 'ref: refs/heads/main\n')
    await rig.put('README.md', '# Harbor\n\nA place for ships.\n')
    await rig.put('src/index.ts', 'export function dock(ship: string) {\n  return ship\n}\n')
    await rig.put('src/a/index.ts', 'export const depth = 3\n')
  })
  afterAll(() => rig.end())

  /** Answers what the guide said; `allow: false` denies whatever writes or runs. */
  async function say(words: string, allow = true): Promise<string> {
    const guide = createGuide()
    const said: string[] = []
    history.push({ role: 'user', text: words, images: [] })
    for (let step = 0; step < 15; step++) {
      const parts: AssistantPart[] = []
      let text = ''
      const request = {
        model: 'guide/guide',
        effort: 'auto' as const,
        system: '',
        messages: history,
        tools: [],
        maxOutputTokens: null,
      }
      for await (const event of guide.stream(request, new AbortController().signal)) {
        if (event.type === 'TEXT_DELTA') text += event.text
        if (event.type === 'TOOL_CALL_END' && event.toolCall)
          parts.push({
            kind: 'call',
            callId: CallId.parse(newId('call')),
            tool: event.toolCall.name,
            arguments: event.toolCall.arguments,
          })
      }
      if (text !== '') said.push(text)
      history.push({ role: 'assistant', parts: [...(text ? [{ kind: 'text' as const, text }] : []), ...parts] })
      if (parts.length === 0) return said.join('\n')
      for (const part of parts) {
        if (part.kind !== 'call') continue
        const denied = !allow && /^(bash|write|edit)$/.test(part.tool)
        const result = denied
          ? { text: 'The person denied this.', failed: true }
          : await rig.call(part.tool, JSON.parse(part.arguments))
        history.push({ role: 'tool', callId: part.callId, tool: part.tool, text: result.text, failed: result.failed })
      }
    }
    throw new Error('the guide did not come to an end')
  }
  const text = (path: string) => readFile(join(rig.folder, path), 'utf8')

  it('tours by what it read', async () => {
    const said = await say('tour this folder')
    expect(said).toContain('Folders: `src/`.')
    expect(said).toContain('**harbor**: Keeps ships.')
    expect(said).toContain('`src/`')
    expect(said).toContain('`npm run test`')
    expect(said).toContain('[README.md](<README.md>)')
  })
  it('knows the name from a manifest too long to be read whole', async () => {
    const exports = Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`./part-${i}`, `./dist/part-${i}.js`]))
    const manifest = { name: 'long-harbor', description: 'Many "ships".', exports, author: { name: 'someone' } }
    const before = await text('package.json')
    await rig.put('package.json', JSON.stringify(manifest, null, 2))
    expect(await say('tour this folder')).toContain('**long-harbor**: Many "ships".')
    await rig.put('package.json', before)
  })
  it('lists, finds, opens, explains', async () => {
    expect(await say('what is in src')).toContain('[src/index.ts](<src/index.ts>)')
    expect(await say('find dock')).toContain('[src/index.ts:1](<src/index.ts#L1>)')
    expect(await say('open src/index.ts')).toContain('3 lines')
    expect(await say('open index.ts')).toMatch(/Several files/)
    expect(await say('explain src/index.ts')).toContain('function `dock`')
    expect(await say('open nothing-like-it.xyz')).toMatch(/No file fits/)
    expect(await say('find zzzNotThere')).toMatch(/occurs nowhere/)
  })
  it('replaces, and takes it back', async () => {
    expect(await say('replace dock with berth in src/index.ts')).toContain('Done.')
    expect(await text('src/index.ts')).toContain('function berth')
    expect(await say('undo that')).toContain('Taken back')
    expect(await text('src/index.ts')).toContain('function dock')
    expect(await say('undo that')).toContain('no file in this session')
    expect(await say('replace absent with x in src/index.ts')).toContain('does not occur')
  })
  it('creates, and takes it back', async () => {
    await say('新建文件 notes.md 内容为 第一条')
    expect(await text('notes.md')).toBe('第一条\n')
    expect(await say('撤销')).toContain('已收回')
    await expect(text('notes.md')).rejects.toThrow()
  })
  it('takes no for an answer', async () => {
    expect(await say('replace dock with pier in src/index.ts', false)).toContain('nothing was changed')
    expect(await text('src/index.ts')).toContain('function dock')
    expect(await say('run rm -rf .', false)).toContain('denied')
  })
  it('runs commands and tests and tells how they ended', async () => {
    expect(await say('run echo hi')).toContain('ended well')
    expect(await say('run exit 4')).toContain('did not end well')
    expect(await say('run the tests')).toContain('tested')
  })
  it('says what changed where there is no git', async () =>
    expect(await say('show my changes')).toMatch(/no git repository/))
  it('an unknown request gets three examples made from this folder', async () => {
    const said = await say('write me a poem')
    expect(said).toContain('not an AI')
    expect(said.match(/^- /gm)).toHaveLength(3)
    expect(said).toContain('explain README.md')
    expect(await say('写一首诗')).toContain('解释 README.md')
  })
})
