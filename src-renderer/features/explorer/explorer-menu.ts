/** The right click of the tree. Entries with a key of their own show it; they run the same commands. */

import type { WirePath } from '#contract/path'
import { host } from '../../client/index.ts'
import { compareChoice } from '../../state/view/editor.ts'
import { machine } from '../../state/view/machine.ts'
import { workspaceView } from '../../state/view/workspace.ts'
import { t } from '../../ui/i18n.ts'
import { type MenuEntry, toast } from '../../ui/index.ts'
import type { RunCommand } from '../commands.ts'
import { isFolder, paste, startCreate, toClipboard } from './explorer-actions.ts'
import { chosen, explorerState } from './explorer-state.ts'
import { showFault } from './explorer-undo.ts'

export function explorerMenu(run: RunCommand): MenuEntry[] {
  const { focus, clipboard } = explorerState.getState()
  if (!focus) return []
  const isRoot = focus.path === ''
  const file = !isFolder(focus)
  const several = chosen().length > 1
  const item = (id: string, onSelect: () => void, more: object = {}): MenuEntry => ({
    id,
    label: t(`explorer.menu.${id}`),
    onSelect,
    ...more,
  })
  const line = (id: string): MenuEntry => ({ kind: 'separator', id })
  return [
    ...(file
      ? [
          item('open', () => void run('editor.open', { path: focus })),
          item('openSide', () => void run('editor.open', { path: focus, side: true })),
          line('1'),
          ...comparing(focus, run, item),
          line('1b'),
        ]
      : []),
    item('newFile', () => void startCreate(false).catch(showFault)),
    item('newFolder', () => void startCreate(true).catch(showFault)),
    line('2'),
    item('cut', () => toClipboard(true), { keys: '$mod+X', disabled: isRoot }),
    item('copy', () => toClipboard(false), { keys: '$mod+C', disabled: isRoot }),
    item('paste', () => void paste().catch(showFault), { keys: '$mod+V', disabled: !clipboard }),
    line('3'),
    item('copyPath', () => copyText(chosen().map(absoluteOf))),
    item('copyRelativePath', () => copyText(chosen().map(({ path }) => path || '.'))),
    ...(file ? [] : [item('findIn', () => void run('search.show', { include: isRoot ? '' : `./${focus.path}` }))]),
    ...(file ? [item('history', () => void run('git.fileHistory', { path: focus }))] : []),
    item('addToPrompt', () => void run('agent.addToPrompt', { path: focus })),
    ...(machine.getState().capabilities?.reveal
      ? [item('reveal', () => void host.host.reveal({ absolute: absoluteOf(focus) }).catch(showFault))]
      : []),
    ...(isRoot ? rootEntries(focus, run, item) : []),
    line('4'),
    item('duplicate', () => void run('explorer.duplicate'), { keys: '$mod+D', disabled: isRoot }),
    item('rename', () => void run('explorer.rename'), { keys: 'F2', disabled: isRoot || several }),
    item('delete', () => void run('explorer.delete'), { keys: 'Delete', disabled: isRoot, danger: true }),
  ]
}

/** What belongs to a folder of the workspace and to none below it. The first one is what the workspace is: it stays. */
function rootEntries(
  { rootId }: WirePath,
  run: RunCommand,
  item: (id: string, onSelect: () => void, more?: object) => MenuEntry,
): MenuEntry[] {
  const roots = workspaceView.getState().workspace?.roots ?? []
  const at = roots.findIndex(root => root.rootId === rootId)
  const readOnly = roots[at]?.readOnly ?? false
  return [
    { kind: 'separator', id: 'roots' },
    item('addFolder', () => void run('app.addFolder')),
    ...(at > 0
      ? [
          item('readOnly', () => void run('app.setReadOnly', { rootId, readOnly: !readOnly }), { checked: readOnly }),
          item('removeRoot', () => void run('app.removeRoot', { rootId })),
        ]
      : []),
  ]
}

/** Two selected files beside each other; one, with what was selected before or as the one to compare with. */
function comparing(
  focus: WirePath,
  run: RunCommand,
  item: (id: string, onSelect: () => void, more?: object) => MenuEntry,
): MenuEntry[] {
  const [left, right, ...others] = chosen()
  if (left && right)
    return others.length > 0 || isFolder(left) || isFolder(right)
      ? []
      : [item('compareSelected', () => void run('editor.compareFiles', { left, right }))]
  return [
    item('selectForCompare', () => void run('editor.selectForCompare', { path: focus })),
    item('compareWithClipboard', () => void run('editor.compareWithClipboard', { path: focus })),
    item('compareWithSelected', () => void run('editor.compareWithSelected', { path: focus }), {
      disabled: compareChoice.getState().path === null,
    }),
  ]
}

function absoluteOf(path: WirePath): string {
  const root = workspaceView.getState().workspace?.roots.find(each => each.rootId === path.rootId)?.absolute ?? ''
  if (path.path === '') return root
  const sep = root.includes('\\') ? '\\' : '/'
  return root.replace(/[\\/]$/, '') + sep + path.path.split('/').join(sep)
}

/** Of several, each on a line of its own. */
function copyText(texts: readonly string[]): void {
  navigator.clipboard.writeText(texts.join('\n')).then(
    () => toast.info(t('ui.copied')),
    thrown => showFault(thrown),
  )
}
