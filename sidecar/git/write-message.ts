/** The words of a commit, written by a model from its changes. Promise: what likely holds a secret is named, never sent. */
import type { WorkspaceId } from '#contract/id'
import { enclosed, markOf } from '../base/foreign-text.ts'
import { limited } from '../base/limited.ts'
import { secretPart } from '../base/protected-places.ts'
import { refuse } from './refusal.ts'
import type { Repository } from './repository.ts'
import type { GitHandlers, Verbs } from './verbs.ts'

/** Null: there is no model that the person agreed to. Throws what the model's failure says. */
export type WriteMessage = (
  ask: { workspaceId: WorkspaceId; prompt: string },
  signal: AbortSignal,
) => Promise<{ text: string } | null>

const MOST_BYTES = 60_000
const MOST_NAMES = 400
const TIMEOUT_MS = 60_000
const WHAT = 'No message was written'

export const messageHandlers = (verbs: Verbs, write: WriteMessage): Pick<GitHandlers, 'writeMessage'> => ({
  async writeMessage(here, { signal }) {
    const repository = await verbs.read(here)
    const prompt = await promptOf(repository)
    if (prompt === null) return refuse('nothing', `${WHAT}: there are no changes to write about.`, [])
    const patience = limited(signal, TIMEOUT_MS)
    const answer = await write({ workspaceId: here.workspaceId, prompt }, patience)
    if (answer === null)
      return refuse(
        'notPossible',
        `${WHAT}: no model is chosen that you agreed to send to. Choose one in the agent’s panel.`,
        [],
      )
    const message = plain(answer.text)
    return message === ''
      ? refuse('failed', `${WHAT}: the model answered nothing. Try again.`, ['retry'])
      : { ok: true, message }
  },
})

/** Null where nothing differs. */
async function promptOf(repository: Repository): Promise<string | null> {
  const staged = await changedNames(repository, ['--cached'])
  const side = staged.length > 0 ? ['--cached'] : ['HEAD']
  const names = staged.length > 0 ? staged : await changedNames(repository, side)
  if (names.length === 0) return null
  const secret = names.filter(name => secretPart(name) !== null)
  const open = names.filter(name => secretPart(name) === null)
  const sent = open.slice(0, MOST_NAMES)
  const diff = sent.length === 0 ? '' : await textOf(repository, [...diffVerb, '--unified=3', ...side, '--', ...sent])
  const cut = Buffer.byteLength(diff) > MOST_BYTES
  const subjects = await textOf(repository, ['log', '-10', '--format=%s', '--encoding=UTF-8', '--no-show-signature'])
  const changes = cut ? Buffer.from(diff).subarray(0, MOST_BYTES).toString('utf8') : diff
  const left = [
    ...(cut ? [`The changes go on: ${Buffer.byteLength(diff) - MOST_BYTES} bytes are left out.`] : []),
    ...(open.length > sent.length ? [`${open.length - sent.length} more files are left out.`] : []),
  ]
  const mark = markOf(subjects, changes, ...names)
  return [
    ...(subjects === '' ? [] : [enclosed('messages', mark, 'the last commits', subjects.trimEnd())]),
    enclosed('changes', mark, 'this commit', changes.trimEnd()),
    ...(secret.length > 0
      ? [enclosed('files', mark, 'changed too, but their content is not shown', secret.slice(0, MOST_NAMES).join('\n'))]
      : []),
    ...left,
  ].join('\n\n')
}

const diffVerb = ['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--find-renames']

async function changedNames(repository: Repository, side: readonly string[]): Promise<string[]> {
  const names = await textOf(repository, [...diffVerb, '--name-only', '--no-renames', '-z', ...side])
  return names.split('\0').filter(Boolean)
}

const textOf = async (repository: Repository, args: readonly string[]): Promise<string> =>
  (await repository.run('read', args, { mostBytes: 4 * 1024 * 1024 })).stdout.toString('utf8')

/** Without the fence and the quotes that some models put around everything. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/^```[a-z]*\n([\s\S]*?)\n?```$/, '$1')
    .replace(/^(["'`])([^\n]*)\1$/, '$2')
    .trim()
