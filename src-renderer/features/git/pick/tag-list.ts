/** Tags: choosing one shows its commit; its second step starts a branch there or deletes it. */
import { Tag, Tags } from 'lucide-react'
import { belay } from '../../../client/index.ts'
import { formatAgo } from '../../../ui/format.ts'
import { t } from '../../../ui/i18n.ts'
import type { Choice } from '../../../ui/quick-pick.tsx'
import { visibleLine } from '../../../ui/visible.ts'
import { told } from '../attempt.ts'
import { here } from '../repository.ts'
import { createBranch, createTag, deleteTag, switchTo } from '../verbs/branch.ts'
import type { LoadList } from './picker.ts'

export const tagList: LoadList = async ({ run, step }) => {
  const at = here()
  const { tags } = await belay.git.tags(at)
  const listed = tags.map(({ name, target, message, at: when }): Choice => {
    const choice = (id: string, work: () => Promise<unknown>): Choice => ({
      id,
      label: t(`source.tag.${id}`),
      onChoose: () => told(work()),
    })
    const show = () => run('git.showCommit', { rootId: at.rootId, commit: target })
    return {
      id: name,
      label: visibleLine(name),
      note: [formatAgo(when * 1000), visibleLine(message.split('\n', 1)[0] ?? '')].filter(Boolean).join(' · '),
      icon: Tag,
      onChoose: () => told(show()),
      more: () =>
        step({
          title: visibleLine(name),
          choices: [
            choice('show', show),
            choice('branch', () => createBranch(undefined, name)),
            choice('switch', () => switchTo(name, true)),
            choice('delete', () => deleteTag(name)),
          ],
        }),
    }
  })
  const create: Choice = {
    id: '\0create',
    always: true,
    icon: Tags,
    label: t('source.createTagDots'),
    onChoose: () => told(createTag()),
  }
  return () => [...listed, create]
}
