/** Fetch, pull, push and publish. Sync is a pull and then a push, the push only if the pull went through. */
import type { RootId } from '#contract/id'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import { attempt } from '../attempt.ts'
import { news } from '../news.ts'
import { typed } from '../questions.ts'
import { here, statusNow } from '../repository.ts'

type PullHow = 'configured' | 'fastForward' | 'merge' | 'rebase'

export async function fetchAll(rootId?: RootId): Promise<boolean> {
  const at = here(rootId)
  const done = await attempt({
    name: 'fetch',
    rootId: at.rootId,
    call: (operationId, options) => belay.git.fetch({ ...at, operationId, all: true, prune: true }, options),
  })
  if (done) news(t('source.fetched'))
  return done !== null
}

export async function pull(how: PullHow = 'configured', rootId?: RootId, quiet = false): Promise<boolean> {
  const at = here(rootId)
  const call = (as: PullHow) => (operationId: string, options: { signal: AbortSignal }) =>
    belay.git.pull({ ...at, operationId, how: as }, options)
  const ways = { pullRebase: call('rebase'), pullMerge: call('merge') }
  const done = await attempt({ name: 'pull', rootId: at.rootId, call: call(how), ways })
  if (done && !quiet) news(t(`source.pulled.${done.result}`))
  return done !== null
}

export async function push(rootId?: RootId): Promise<boolean> {
  const at = here(rootId)
  const call = (force: boolean) => (operationId: string, options: { signal: AbortSignal }) =>
    belay.git.push({ ...at, operationId, force }, options)
  const done = await attempt({ name: 'push', rootId: at.rootId, call: call(false), ways: { force: call(true) } })
  if (done) news(t(`source.pushed.${done.result}`))
  return done !== null
}

/** Where there are several remotes the person says which. */
export async function publish(rootId?: RootId): Promise<boolean> {
  const at = here(rootId)
  const { remotes } = await belay.git.remotes(at)
  const names = remotes.map(({ name }) => name)
  const remote = names.includes('origin') ? 'origin' : (names[0] ?? null)
  const done = await attempt({
    name: 'publish',
    rootId: at.rootId,
    call: (operationId, options) => belay.git.push({ ...at, operationId, remote, publish: true }, options),
  })
  if (done) news(t('source.published', { remote: visibleLine(remote ?? '') }))
  return done !== null
}

export async function sync(): Promise<void> {
  const { upstream, upstreamGone } = statusNow()
  if (!upstream || upstreamGone) await publish()
  else if (await pull('configured', undefined, true)) await push()
}

/** True when one was added. */
export async function addRemote(rootId?: RootId): Promise<boolean> {
  const at = here(rootId)
  const { remotes } = await belay.git.remotes(at)
  const values = await typed({
    title: t('source.addRemote'),
    confirm: t('source.addRemoteDo'),
    fields: [
      { id: 'name', label: t('source.remoteName'), initial: remotes.length === 0 ? 'origin' : '' },
      { id: 'address', label: t('source.remoteAddress'), hint: t('source.remoteAddressHint') },
    ],
  })
  if (!values) return false
  const call = () => belay.git.addRemote({ ...at, name: values.name, address: values.address })
  const done = await attempt({ name: 'addRemote', rootId: at.rootId, call, rename: () => addRemote(rootId) })
  return done !== null
}
