/** Where a repository stands, told from its small files alone: nothing runs. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { locate } from './locate.ts'

export interface Refs {
  /** Null: none is checked out. */
  readonly branch: string | null
  /** Null where there is no commit yet, or this version of Belay cannot tell. */
  readonly commit: string | null
}

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/

/** Null where the folder is in no repository. Never rejects. */
export async function refsOf(folder: string): Promise<Refs | null> {
  const at = await locate(folder).catch(() => null)
  if (at?.standing !== 'ready') return null
  const head = await small(join(at.gitDir, 'HEAD'))
  const name = /^ref: (refs\/[^\0]+)$/.exec(head)?.[1]
  if (!name) return COMMIT.test(head) ? { branch: null, commit: head } : null
  // Never out of the folder of refs: HEAD is a file that anybody may write.
  if (name.split('/').includes('..')) return null
  const loose = await small(join(at.commonDir, name))
  const commit = COMMIT.test(loose) ? loose : await packed(join(at.commonDir, 'packed-refs'), name)
  return { branch: name.replace(/^refs\/heads\//, ''), commit }
}

const small = (file: string): Promise<string> =>
  readFile(file, 'utf8').then(
    text => text.slice(0, 1000).trim(),
    () => '',
  )

async function packed(file: string, name: string): Promise<string | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const line = text.split('\n').find(each => each.endsWith(` ${name}`)) ?? ''
  const commit = line.slice(0, line.indexOf(' '))
  return COMMIT.test(commit) ? commit : null
}
