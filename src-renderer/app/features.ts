/** The features of this window, in no order that matters: panes and status items carry their own. */

import { chat } from '../features/chat/index.ts'
import { editor } from '../features/editor/index.ts'
import { explorer } from '../features/explorer/index.ts'
import type { Feature, Pane, StatusItem } from '../features/feature.ts'
import { git } from '../features/git/index.ts'
import { problems } from '../features/problems/index.ts'
import { review } from '../features/review/index.ts'
import { searchInFiles } from '../features/search/index.ts'
import { sessions } from '../features/sessions/index.ts'
import { settings } from '../features/settings/index.ts'
import { terminal } from '../features/terminal/index.ts'
import { welcome } from '../features/welcome/index.ts'

export const features: readonly Feature[] = [
  chat,
  editor,
  explorer,
  git,
  problems,
  review,
  searchInFiles,
  sessions,
  settings,
  terminal,
  welcome,
]

const byOrder = (a: { order: number }, b: { order: number }) => a.order - b.order
export const panesAt = (place: Pane['place']): readonly Pane[] =>
  features
    .flatMap(feature => feature.panes ?? [])
    .filter(pane => pane.place === place)
    .sort(byOrder)
export const statusAt = (side: StatusItem['side']): readonly StatusItem[] =>
  features
    .flatMap(feature => feature.status ?? [])
    .filter(item => item.side === side)
    .sort(byOrder)
