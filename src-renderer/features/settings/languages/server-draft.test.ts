import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LanguageServerSetting } from '#contract/language'
import { draftOf, isEmpty, readDraft, type ServerDraft, wordsIn } from './server-draft.ts'

const t = (key: string) => key
const own = { own: true, enabled: true }
const read = (draft: Partial<ServerDraft>, how = own) =>
  readDraft({ ...draftOf('zig', undefined), command: 'zls', extensions: '.zig', ...draft }, how, t)

const word = fc.string({ minLength: 1, maxLength: 12 }).filter(text => !text.includes('\0'))
const line = fc.stringMatching(/^[a-zA-Z0-9_./ -]{1,12}$/).filter(text => text.trim() === text && text !== '')
const entry = fc.record(
  {
    command: fc.array(word, { minLength: 1, maxLength: 4 }),
    extensions: fc.array(fc.stringMatching(/^\.[a-z+]{1,6}$/), { minLength: 1, maxLength: 3 }),
    rootMarkers: fc.array(line, { minLength: 1, maxLength: 3 }),
    env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), line, { minKeys: 1, maxKeys: 3 }),
    initialization: fc.jsonValue(),
    settings: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.jsonValue(), { maxKeys: 3 }),
    enabled: fc.boolean(),
  },
  { requiredKeys: ['command', 'extensions'] },
)

test('what is shown in the form and saved unchanged is unchanged, whatever is in it', () => {
  fc.assert(
    fc.property(entry, given => {
      const setting = LanguageServerSetting.parse(JSON.parse(JSON.stringify(given)))
      const again = readDraft(draftOf('zig', setting), { own: true, enabled: setting.enabled }, t)
      expect(again).toEqual({ ok: true, entry: setting })
    }),
  )
})

test('a command is read as a person writes it: quotes keep spaces together, nothing else means anything', () => {
  expect(wordsIn(String.raw`  node "C:\Program Files\x.js" --stdio '' a\ b $HOME *.ts 'it''s'`)).toEqual([
    ...['node', String.raw`C:\Program Files\x.js`, '--stdio', '', 'a b', '$HOME', '*.ts', 'its'],
  ])
  expect(wordsIn('zls "never closed')).toBeNull()
})

test.each([
  ['id', { id: 'no spaces' }],
  ['command', { command: '' }],
  ['command', { command: '"zls' }],
  ['extensions', { extensions: ' , ' }],
  ['env', { env: 'NAME' }],
  ['initialization', { initialization: '{' }],
  ['settings', { settings: '[1]' }],
] as const)('%s is said to be wrong at its own field: %j', (field, draft) => {
  expect(read(draft)).toMatchObject({ ok: false, field })
})

test('one that Belay knows may leave everything out, and then says nothing', () => {
  const known = readDraft(draftOf('python', undefined), { own: false, enabled: true }, t)
  expect(known.ok && isEmpty(known.entry)).toBe(true)
  const off = readDraft(draftOf('python', undefined), { own: false, enabled: false }, t)
  expect(off.ok && isEmpty(off.entry)).toBe(false)
})
