/** The list that is open: asked for when it opens, a second step per entry for what else can be done with it. */
import { useEffect, useState } from 'react'
import { localize, useT } from '../../../ui/i18n.ts'
import { toast } from '../../../ui/index.ts'
import { QuickPick } from '../../../ui/quick-pick.tsx'
import { useCommand } from '../../commands.ts'
import { branchList } from './branch-list.ts'
import { closePicker, type LoadList, type Offer, type PickList, type Step } from './picker.ts'
import { remoteList } from './remote-list.ts'
import { stashList } from './stash-list.ts'
import { tagList } from './tag-list.ts'
import { worktreeList } from './worktree-list.ts'

const loads: { [K in PickList['kind']]: (list: Extract<PickList, { kind: K }>) => LoadList } = {
  branches: ({ verb }) => branchList(verb),
  stashes: () => stashList,
  worktrees: () => worktreeList,
  remotes: () => remoteList,
  tags: () => tagList,
}

export function Pick({ list }: { readonly list: PickList }) {
  const t = useT()
  const run = useCommand()
  const [offer, setOffer] = useState<Offer | null>(null)
  const [step, setStep] = useState<Step | null>(null)
  useEffect(() => {
    let current = true
    const load = (loads[list.kind] as (list: PickList) => LoadList)(list)
    load({ run, step: setStep }).then(
      loaded => current && setOffer(() => loaded),
      fault => {
        closePicker()
        toast.error(localize((fault as Error).message))
      },
    )
    return () => {
      current = false
    }
  }, [list, run])
  const words = list.kind === 'branches' ? `branches.${list.verb}` : list.kind
  return (
    <QuickPick
      title={step?.title ?? t(`source.pick.${words}`)}
      placeholder={step?.title ?? t(`source.pick.${words}`)}
      choices={step ? step.choices : offer}
      step={step?.title}
      onBack={step ? () => setStep(null) : undefined}
      onClose={closePicker}
    />
  )
}
