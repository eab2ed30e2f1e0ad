/** A decision that could not be carried out, in the core's own words. */
import { toFault } from '#contract/error'
import { t } from '../../ui/i18n.ts'
import { toast } from '../../ui/index.ts'

export const showProblem = (thrown: unknown): void =>
  void toast.error(t('review.failed'), { detail: toFault(thrown).message, id: 'review.failed' })
