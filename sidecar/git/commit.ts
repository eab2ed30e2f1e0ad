/** The person's own commits: made as git would make them, with hooks and signing, and taken back by one. */
import { readFile } from 'node:fs/promises'
import type { GitPerson, GitRefusal } from '#contract/git'
import { withHome } from '../base/with-home.ts'
import { inProgressOf } from './in-progress.ts'
import { commitOf, ownFile, printing, stopped, unmergedNames } from './operation.ts'
import { refusalOf, refuse } from './refusal.ts'
import type { Repository } from './repository.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

type Names = 'commit' | 'commitMessage' | 'undoCommit' | 'identity' | 'setIdentity'
type Wish = Parameters<GitHandlers['commit']>[0]

const WHAT = 'Not committed'
export const COMMIT_HOOKS = ['pre-commit', 'prepare-commit-msg', 'commit-msg', 'pre-merge-commit']

export const commitHandlers = (verbs: Verbs): Pick<GitHandlers, Names> => ({
  commit: (wish, context) =>
    verbs.asking(wish.operationId, context, extra =>
      verbs.write(wish, async repository => {
        const refusal = await refuseCommit(repository, wish)
        if (refusal) return refusal
        const flags = [
          ...['--quiet', '--no-status', '--cleanup=whitespace', '--file=-'],
          ...(wish.amend ? ['--amend'] : []),
          ...(wish.signOff ? ['--signoff'] : []),
          ...(wish.all ? ['--all'] : []),
        ]
        const options = { ...printing(verbs, wish.operationId, context), extra, input: wish.message }
        const result = await repository.run('person', ['commit', ...flags], options)
        if (result.code !== 0) return stopped(repository, WHAT, result, COMMIT_HOOKS)
        const commit = await commitOf(repository, 'HEAD')
        return commit === null ? refusalOf(repository, WHAT, result) : { ok: true, commit }
      }),
    ),
  async commitMessage({ amend, ...here }) {
    const repository = await verbs.read(here)
    return { message: amend ? await messageOf(repository, 'HEAD') : await begunMessage(repository) }
  },
  undoCommit: ({ commit, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The commit was not undone'
      if ((await commitOf(repository, 'HEAD')) !== commit)
        return refuse('stale', `${what}: it is not the last one any more. Nothing was changed.`, ['refresh'])
      if (await inProgressOf(repository.gitDir))
        return refuse('inProgress', `${what}: something else is in progress. Continue or abort that first.`, [
          'continue',
          'abort',
        ])
      const message = await messageOf(repository, commit)
      const parent = await commitOf(repository, `${commit}^`)
      const verb = parent
        ? ['reset', '--soft', '--quiet', parent]
        : ['update-ref', '-d', '-m', 'commit (initial): undone', 'HEAD', commit]
      const result = await repository.run('index', verb)
      return result.code === 0 ? { ok: true, message } : refusalOf(repository, what, result)
    }),
  async identity(here) {
    const repository = await verbs.read(here)
    const entries = await repository.configuration()
    const last = (key: string) => entries.findLast(entry => entry.key === key)?.value || null
    return { name: last('user.name'), email: last('user.email') }
  },
  setIdentity: ({ person, scope, ...here }) => verbs.write(here, repository => setIdentity(repository, person, scope)),
})

async function refuseCommit(repository: Repository, wish: Wish): Promise<GitRefusal | null> {
  if (wish.message.trim() === '')
    return refuse('notPossible', `${WHAT}: a commit has a message. Say in a line what it does.`, [])
  const unmerged = await unmergedNames(repository)
  if (unmerged.length > 0)
    return refuse('conflict', `${WHAT}: some files are in conflict. Resolve them first.`, ['resolve', 'abort'], {
      files: unmerged.flatMap(name => repository.toPath(name) ?? []).slice(0, 100),
    })
  // A merge is something to commit even where it changes no file.
  if (wish.amend || (await inProgressOf(repository.gitDir)) !== null) return null
  const against = wish.all && (await commitOf(repository, 'HEAD')) !== null ? ['HEAD'] : ['--cached']
  const differs = ['diff', '--quiet', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', ...against]
  const result = await repository.run('read', differs)
  if (result.code !== 0) return null
  return refuse('nothing', `${WHAT}: nothing is staged. Stage what shall be in the commit.`, [])
}

const messageOf = async (repository: Repository, commit: string): Promise<string> => {
  const args = ['log', '-1', '--format=%B', '--encoding=UTF-8', '--no-show-signature', commit]
  const answer = await repository.run('read', args)
  return answer.code === 0 ? answer.stdout.toString('utf8').trim() : ''
}

async function begunMessage(repository: Repository): Promise<string> {
  for (const name of ['MERGE_MSG', 'SQUASH_MSG']) {
    const text = withoutComments(await ownFile(repository, name))
    if (text !== '') return text
  }
  // A repository may name any file of the machine as its template: the person's own counts.
  const template = (await repository.configuration()).findLast(
    ({ key, scope }) => key === 'commit.template' && scope === 'global',
  )?.value
  return template ? withoutComments(await readFile(withHome(template), 'utf8').catch(() => '')) : ''
}

const withoutComments = (text: string): string => text.replace(/^#.*\n?/gm, '').trim()

async function setIdentity(
  repository: Repository,
  { name, email }: GitPerson,
  scope: 'repository' | 'person',
): Promise<Outcome> {
  const what = 'Your name was not set'
  const bad = [name, email].find(each => each.trim() === '' || each.startsWith('-') || /[\u0000-\u001f<>]/.test(each))
  if (bad !== undefined)
    return refuse('name', `${what}: type a name and an e-mail address, without “<”, “>” or line breaks.`, [
      'chooseName',
    ])
  for (const [key, value] of [
    ['user.name', name.trim()],
    ['user.email', email.trim()],
  ] as const) {
    const place = scope === 'person' ? '--global' : '--local'
    const result = await repository.run('index', ['config', place, '--replace-all', key, value])
    if (result.code !== 0) return refusalOf(repository, what, result)
  }
  return { ok: true }
}
