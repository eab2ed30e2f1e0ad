/** What git has begun and not ended in a worktree, read from the files it keeps about it. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitInProgress } from '#contract/git'

/** Null where nothing is. */
export async function inProgressOf(gitDir: string): Promise<GitInProgress | null> {
  const text = (...names: string[]) =>
    readFile(join(gitDir, ...names), 'utf8').then(
      content => content.trim(),
      () => null,
    )
  const has = (name: string) =>
    stat(join(gitDir, name)).then(
      () => true,
      () => false,
    )
  const number = async (...names: string[]) => {
    const value = Number.parseInt((await text(...names)) ?? '', 10)
    return Number.isNaN(value) ? null : value
  }
  const branch = (name: string | null) => (name ? name.replace(/^refs\/heads\//, '') : null)
  const commit = async (name: string) => (await text(name))?.slice(0, 8) ?? null

  if (await has('rebase-merge'))
    return {
      kind: 'rebase',
      step: await number('rebase-merge', 'msgnum'),
      of: await number('rebase-merge', 'end'),
      what: branch(await text('rebase-merge', 'head-name')),
    }
  if (await has('rebase-apply'))
    return {
      kind: (await text('rebase-apply', 'applying')) === null ? 'rebase' : 'am',
      step: await number('rebase-apply', 'next'),
      of: await number('rebase-apply', 'last'),
      what: branch(await text('rebase-apply', 'head-name')),
    }
  const single = { step: null, of: null }
  if (await has('CHERRY_PICK_HEAD')) return { kind: 'cherryPick', ...single, what: await commit('CHERRY_PICK_HEAD') }
  if (await has('REVERT_HEAD')) return { kind: 'revert', ...single, what: await commit('REVERT_HEAD') }
  if (await has('MERGE_HEAD')) return { kind: 'merge', ...single, what: await commit('MERGE_HEAD') }
  if (await has('BISECT_LOG')) return { kind: 'bisect', ...single, what: null }
  return null
}
