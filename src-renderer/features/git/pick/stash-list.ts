/** Stashes: choosing one shows what is in it; its second step brings it back or takes it off the list. */
import { Archive, ArchiveRestore } from 'lucide-react'
import type { GitStash } from '#contract/git'
import { belay } from '../../../client/index.ts'
import { formatAgo } from '../../../ui/format.ts'
import { t } from '../../../ui/i18n.ts'
import type { Choice } from '../../../ui/quick-pick.tsx'
import { visibleLine } from '../../../ui/visible.ts'
import { told } from '../attempt.ts'
import { here } from '../repository.ts'
import { applyStash, dropStash, makeStash } from '../verbs/stash.ts'
import type { ListTools, LoadList } from './picker.ts'

export const stashList: LoadList = async tools => {
  const { stashes } = await belay.git.stashes(here())
  const listed = stashes.map((stash): Choice => {
    const title = visibleLine(stash.message)
    const step = () => tools.step({ title, choices: moreOf(stash, tools) })
    return {
      id: `${stash.index}`,
      label: title,
      note: formatAgo(stash.at * 1000),
      icon: Archive,
      stays: true,
      more: step,
      onChoose: step,
    }
  })
  const make: Choice = {
    id: '\0make',
    always: true,
    icon: ArchiveRestore,
    label: t('source.stashMakeDots'),
    onChoose: () => told(makeStash()),
  }
  return () => [...listed, make]
}

function moreOf(stash: GitStash, { run }: ListTools): Choice[] {
  const { rootId } = here()
  const choice = (id: string, work: () => Promise<unknown>): Choice => ({
    id,
    label: t(`source.stash.${id}`),
    onChoose: () => told(work()),
  })
  const title = t('source.stashTitle', { message: visibleLine(stash.message) })
  return [
    choice('show', () =>
      run('editor.openPage', {
        page: 'git.commit',
        key: stash.oid,
        title,
        argument: { rootId, stash: stash.oid, title },
      }),
    ),
    choice('apply', () => applyStash(stash, false)),
    choice('pop', () => applyStash(stash, true)),
    choice('drop', () => dropStash(stash)),
  ]
}
