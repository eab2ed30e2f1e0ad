/** Two branches side by side, as a page among the files. */
import { z } from 'zod'
import { SessionId } from '#contract/id'
import { t } from '../../../ui/i18n.ts'
import type { CommandArgument } from '../../commands.ts'

export const COMPARE_PAGE = 'sessions.compare'
export const CompareArgument = z.object({ a: SessionId, b: SessionId })
export type CompareArgument = z.infer<typeof CompareArgument>

export const comparePage = (pair: CompareArgument): CommandArgument<'editor.openPage'> => ({
  page: COMPARE_PAGE,
  key: `${pair.a} ${pair.b}`,
  title: t('sessions.compareTitle'),
  argument: pair,
})
