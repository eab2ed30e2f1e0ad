/** Files as git has them, at one side or another. */
import { toFault } from '#contract/error'
import type { GitHandlers, Verbs } from './verbs.ts'

const MOST_BYTES = 5 * 1024 * 1024

export const textHandlers = (verbs: Verbs): Pick<GitHandlers, 'headText'> => ({
  async headText({ workspaceId, path: { rootId, path } }) {
    try {
      const repository = await verbs.read({ workspaceId, rootId, inside: '' })
      const spec = `HEAD:${await repository.toName(path)}`
      const { code, stdout } = await repository.run('read', ['cat-file', 'blob', spec], { mostBytes: MOST_BYTES })
      return { text: code !== 0 || stdout.includes(0) ? null : stdout.toString('utf8') }
    } catch (thrown) {
      if (['untrusted', 'not_found', 'unsupported'].includes(toFault(thrown).code)) return { text: null }
      throw thrown
    }
  },
})
