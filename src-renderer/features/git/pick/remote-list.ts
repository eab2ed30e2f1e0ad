/** Remotes: where they lie; add one, or take one away, which can be undone. */
import { Cloud, CloudUpload } from 'lucide-react'
import type { GitRemote } from '#contract/git'
import { belay } from '../../../client/index.ts'
import { t } from '../../../ui/i18n.ts'
import type { Choice } from '../../../ui/quick-pick.tsx'
import { visibleLine } from '../../../ui/visible.ts'
import { attempt, told } from '../attempt.ts'
import { news } from '../news.ts'
import { here } from '../repository.ts'
import { addRemote } from '../verbs/remote.ts'
import type { LoadList } from './picker.ts'

export const remoteList: LoadList = async ({ step }) => {
  const at = here()
  const { remotes } = await belay.git.remotes(at)
  const listed = remotes.map((remote): Choice => {
    const { name, fetch, push } = remote
    const open = () =>
      step({
        title: visibleLine(name),
        choices: [
          {
            id: 'fetch',
            label: t('source.remote.fetch', { name: visibleLine(name) }),
            onChoose: () =>
              told(
                attempt({
                  name: 'fetch',
                  rootId: at.rootId,
                  call: (operationId, options) => belay.git.fetch({ ...at, operationId, remote: name }, options),
                }),
              ),
          },
          {
            id: 'copy',
            label: t('source.remote.copy'),
            onChoose: () => void navigator.clipboard.writeText(fetch),
          },
          { id: 'remove', label: t('source.remote.remove'), onChoose: () => told(remove(remote)) },
        ],
      })
    return {
      id: name,
      label: visibleLine(name),
      note: visibleLine(fetch === push ? fetch : `${fetch} · ${push}`),
      icon: Cloud,
      stays: true,
      more: open,
      onChoose: open,
    }
  })
  const add: Choice = {
    id: '\0add',
    always: true,
    icon: CloudUpload,
    label: t('source.addRemoteDots'),
    onChoose: () => told(addRemote()),
  }
  return () => [...listed, add]
}

async function remove({ name, fetch }: GitRemote): Promise<void> {
  const at = here()
  const call = () => belay.git.removeRemote({ ...at, name })
  if (!(await attempt({ name: 'removeRemote', rootId: at.rootId, call }))) return
  const back = () => belay.git.addRemote({ ...at, name, address: fetch })
  news(t('source.remoteRemoved', { name: visibleLine(name) }), {
    label: t('source.undo'),
    onSelect: () => told(attempt({ name: 'addRemote', rootId: at.rootId, call: back })),
  })
}
