/** Names for other repositories, and tags. */
import type { GitTag } from '#contract/git'
import { checkAddress } from './clone.ts'
import { commitOf } from './operation.ts'
import { refusalOf, refuse, withoutPasswords } from './refusal.ts'
import type { Repository } from './repository.ts'
import type { GitHandlers, Outcome, Verbs } from './verbs.ts'

type Names = 'remotes' | 'addRemote' | 'removeRemote' | 'tags' | 'createTag' | 'deleteTag'

export const remoteHandlers = (verbs: Verbs): Pick<GitHandlers, Names> => ({
  async remotes(here) {
    const repository = await verbs.read(here)
    const lines = (await repository.run('read', ['remote', '--verbose'])).stdout.toString('utf8').split('\n')
    const found = new Map<string, { name: string; fetch: string; push: string }>()
    for (const line of lines) {
      const [, name, address, side] = /^(.+?)\t(.+) \((fetch|push)\)/.exec(line) ?? []
      if (!name || !address) continue
      const remote = found.get(name) ?? { name, fetch: '', push: '' }
      found.set(name, { ...remote, [side === 'fetch' ? 'fetch' : 'push']: withoutPasswords(address) })
    }
    return { remotes: [...found.values()] }
  },
  addRemote: ({ name, address, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The remote was not added'
      if (!(await isRefName(repository, 'remotes', `${name}/x`))) return badName(what)
      const result = await repository.run('index', ['remote', 'add', '--', name, checkAddress(address, what)])
      return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
    }),
  removeRemote: ({ name, ...here }) =>
    verbs.write(here, async repository => {
      const result = await repository.run('index', ['remote', 'remove', '--', name])
      return result.code === 0 ? { ok: true } : refusalOf(repository, 'The remote was not removed', result)
    }),
  tags: async here => ({ tags: await listTags(await verbs.read(here)) }),
  createTag: ({ name, at = 'HEAD', message, ...here }) =>
    verbs.write(here, async repository => {
      const what = 'The tag was not made'
      if (!(await isRefName(repository, 'tags', name))) return badName(what)
      const isAnnotated = message.trim() !== ''
      const flags = isAnnotated ? ['--annotate', '--cleanup=whitespace', '--file=-'] : ['--no-sign']
      const result = await repository.run('person', ['tag', ...flags, '--', name, at], { input: message })
      return result.code === 0 ? { ok: true } : refusalOf(repository, what, result)
    }),
  deleteTag: ({ name, ...here }) => verbs.write(here, repository => deleteTag(repository, name)),
})

const tagFields = ['refname:strip=2', 'objectname', '*objectname', 'objecttype', 'contents:subject', 'creatordate:unix']

async function listTags(repository: Repository): Promise<GitTag[]> {
  const format = tagFields.map(field => `%(${field})`).join('%00')
  const args = ['for-each-ref', '--sort=-creatordate', `--format=${format}`, 'refs/tags']
  const answer = await repository.run('read', args)
  return answer.stdout
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map(line => {
      const [name = '', own = '', target, type, message = '', at] = line.split('\0')
      const annotated = type === 'tag'
      return { name, target: target || own, annotated, message: annotated ? message : '', at: Number(at) || 0 }
    })
}

async function deleteTag(repository: Repository, name: string): Promise<Outcome<{ target: string }>> {
  const what = 'The tag was not deleted'
  const target = await commitOf(repository, `refs/tags/${name}`)
  const result = await repository.run('index', ['tag', '--delete', '--', name])
  if (result.code !== 0) return refusalOf(repository, what, result)
  return { ok: true, target: target ?? '0'.repeat(40) }
}

const isRefName = async (repository: Repository, kind: string, name: string): Promise<boolean> =>
  !name.startsWith('-') && (await repository.run('read', ['check-ref-format', `refs/${kind}/${name}`])).code === 0

const badName = (what: string) =>
  refuse('name', `${what}: git does not take that name. No spaces, no “..”, “~”, “^”, “:”, “?”, “*”, “[”, “\\”.`, [
    'chooseName',
  ])
