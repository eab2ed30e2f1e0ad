/** Closing tabs. Unsaved text is asked about once per file, when its last tab goes. */
import { isUntitled, pathKey, type WirePath } from '#contract/path'
import { documentState, useDocuments } from '../../state/mirror/document.ts'
import { type CloseQuestion, changeGroups, closeQuestion, editorGroups } from '../../state/view/editor.ts'
import { allTabs, closeTab, type EditorTab, fileTab, openTab, textPathOf } from '../../state/view/editor-tabs.ts'
import { rememberClosed, takeClosed } from './closed-tabs.ts'
import { saveAsWish } from './save-as.ts'
import { revertFile, saveFile } from './saving.ts'

/** At once, unasked; it can be opened again. */
export function close({ groupId, tab }: CloseQuestion): void {
  rememberClosed(tab)
  changeGroups(all => closeTab(all, groupId, tab.id))
}

/** The latest closed tab that is not open, in the focused group. */
export function reopenClosed(): EditorTab | null {
  const tab = takeClosed(each => allTabs(editorGroups.getState()).some(({ id }) => id === each.id))
  if (tab) changeGroups(all => openTab(all, tab))
  return tab
}

function needsAsking(tab: EditorTab): boolean {
  const path = tab.kind === 'markdown' ? null : textPathOf(tab)
  if (!path) return false
  const { states, unsent } = useDocuments.getState()
  // What was typed a moment ago is on its way to the core, which has not called it unsaved yet.
  if (!states[pathKey(path)]?.dirty && !unsent[pathKey(path)]) return false
  const others = allTabs(editorGroups.getState()).filter(each => {
    const its = each.kind === 'markdown' ? null : textPathOf(each)
    return its && pathKey(its) === pathKey(path)
  })
  return others.length < 2
}

export function closeAsking(tabs: readonly CloseQuestion[]): void {
  const asked: CloseQuestion[] = []
  for (const each of tabs) {
    if (needsAsking(each.tab)) asked.push(each)
    else close(each)
  }
  if (asked.length > 0) closeQuestion.setState(({ asked: before }) => ({ asked: [...before, ...asked] }))
}

/** The person's answer to the first question. `cancel` takes back all of them. Rejects when saving or reverting failed: the tab then stays. */
export async function answerClose(answer: 'save' | 'discard' | 'cancel'): Promise<void> {
  const [first, ...others] = closeQuestion.getState().asked
  closeQuestion.setState({ asked: answer === 'cancel' ? [] : others })
  const path = first && textPathOf(first.tab)
  if (!first || !path || answer === 'cancel') return
  if (answer === 'save' && isUntitled(path)) {
    // It is closed under the name it gets.
    const saved = (to: WirePath) => close({ groupId: first.groupId, tab: fileTab(to) })
    return saveAsWish.setState({ path, onSaved: saved })
  }
  try {
    if (answer === 'save') await saveFile(path)
    else await revertFile(path)
  } catch (fault) {
    closeQuestion.setState({ asked: [] })
    throw fault
  }
  // A conflict came up: nothing was saved, so nothing is closed.
  if (answer === 'save' && documentState(path)?.dirty) return
  close(first)
}
