/** A tab that shows two texts beside each other. */
import type { AnyPath } from '#contract/path'
import { changeGroups } from '../../state/view/editor.ts'
import { openTab } from '../../state/view/editor-tabs.ts'

export function openDiff(diff: { title: string; path: AnyPath; before: string; after: string }): void {
  changeGroups(all => openTab(all, { kind: 'diff', id: `diff:${diff.title}`, preview: false, ...diff }))
}
