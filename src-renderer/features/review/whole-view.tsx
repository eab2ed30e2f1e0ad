/** What has no hunks: a picture before and after, or what changed in words; decided on as a whole. */
import { FileDiff } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { FileReview } from '#contract/review'
import { type Translate, useT } from '../../ui/i18n.ts'
import { Button, EmptyState } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { decideFile, stepFile } from './acts.ts'
import type { ViewProps } from './hunk-view.tsx'
import { nameOf } from './names.ts'
import { PageBar } from './page-bar.tsx'
import { PicturePair } from './picture-pair.tsx'
import { bringFront, onFocusWish } from './review-state.ts'

export function WholeView({ tabId, argument, review, Actions }: ViewProps) {
  const t = useT()
  const run = useCommand()
  const { path, scope } = argument
  const { file } = review
  const box = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      bringFront({
        tabId,
        argument,
        step: by => stepFile(by),
        act: async what => {
          if (what !== 'comment') await decideFile(what, path)
        },
      }),
    [tabId, argument, path],
  )
  useEffect(() => onFocusWish(tabId, () => box.current?.focus()), [tabId])
  return (
    <>
      <Actions>
        <PageBar argument={argument} review={review} left={null} at={0} />
      </Actions>
      <div className="review-whole" ref={box} tabIndex={-1}>
        {file.kind === 'image' ? (
          <PicturePair key={review.version} argument={argument} />
        ) : (
          <EmptyState icon={FileDiff} title={titleOf(review, t)} body={t(`review.says.${file.kind}`)} />
        )}
        {file.left > 0 && (
          <span className="review-whole-acts">
            {scope.kind !== 'git' && (
              <Button variant="main" onClick={() => void run('review.acceptFile', { path })}>
                {t('review.acceptFile')}
              </Button>
            )}
            <Button onClick={() => void run('review.revertFile', { path })}>{t('review.revertFile')}</Button>
          </span>
        )}
      </div>
    </>
  )
}

function titleOf({ file }: FileReview, t: Translate): string {
  const name = nameOf(file.path)
  if (file.change === 'renamed' && file.from) return t('review.renamedFrom', { name, from: file.from.path })
  if (file.facts) return t('review.facts', { name, before: file.facts.before || '–', after: file.facts.after || '–' })
  return t(`review.title.${file.change}`, { name })
}
