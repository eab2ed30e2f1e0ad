/** Files by a few letters over several roots: the best of each, merged. A query may begin with the name of a root. */
import type { WirePath } from '#contract/path'
import type { Rooted } from './rooted.ts'

/** Best first; a root that cannot be listed has no files and hides no others'. Rejects where no root could be asked. */
export async function findIn(
  rooteds: readonly Pick<Rooted, 'root' | 'index'>[],
  query: string,
  limit: number,
): Promise<{ files: { path: WirePath; positions: number[] }[]; total: number }> {
  const answers = await Promise.allSettled(
    rooteds.map(async ({ root, index }) => {
      const { files, total } = await index.find(rooteds.length > 1 ? withoutName(query, root.name) : query, limit)
      return { total, files: files.map(file => ({ ...file, path: { rootId: root.rootId, path: file.path } })) }
    }),
  )
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? [answer.value] : []))
  const [first] = answers
  if (found.length === 0 && first?.status === 'rejected') throw first.reason
  const files = found.flatMap(each => each.files)
  // Without a query nothing is better: the first root's come first.
  if (query.trim() !== '') files.sort((a, b) => b.score - a.score)
  return {
    files: files.slice(0, limit).map(({ path, positions }) => ({ path, positions })),
    total: found.reduce((sum, each) => sum + each.total, 0),
  }
}

const withoutName = (query: string, name: string): string => {
  const start = `${name}/`.toLowerCase()
  return query.trimStart().toLowerCase().startsWith(start) ? query.trimStart().slice(start.length) : query
}
