/** Beside every text: who wrote it, where a person asked for that, and the ways out of conflicts. Their code comes when first needed. */
import { pathKey, type WirePath } from '#contract/path'
import { useGit } from '../../state/mirror/git.ts'
import { t, withWords } from '../../ui/i18n.ts'
import type { EditorCompanion, ShownText } from '../feature.ts'
import { blameShown } from './blame/blame-shown.ts'

type Attach = (shown: ShownText, path: WirePath) => () => void

/** Runs while `wanted` says so; `listen` tells when to ask it again. */
const whileWanted =
  (
    wanted: (path: WirePath) => boolean,
    listen: (changed: () => void) => () => void,
    load: () => Promise<Attach>,
  ): EditorCompanion =>
  shown => {
    const { path } = shown
    if ('uri' in path) return () => {}
    let end: (() => void) | null = null
    let on = false
    const change = () => {
      if (wanted(path) === on) return
      on = !on
      end?.()
      end = null
      if (!on) return
      let current = true
      end = () => {
        current = false
      }
      // What cannot be fetched is left out: the text is what matters.
      load().then(
        attach => {
          if (current) end = attach(shown, path)
        },
        () => {},
      )
    }
    const stop = listen(change)
    change()
    return () => {
      stop()
      end?.()
    }
  }

export const blameCompanion = whileWanted(
  path => blameShown.get() !== 'off' && useGit.getState().statuses[path.rootId]?.standing === 'ready',
  changed => {
    const stops = [blameShown.on(changed), useGit.subscribe(changed)]
    return () => {
      for (const stop of stops) stop()
    }
  },
  async () => (await withWords('source', import('./blame/show-blame.ts'))).showBlame,
)

export const conflictCompanion = whileWanted(
  path => useGit.getState().marks.get(pathKey(path))?.state === 'conflicted',
  changed => useGit.subscribe(changed),
  async () => (await withWords('source', import('./conflict/show-conflicts.ts'))).showConflicts,
)

/** In the editor's own right-click menu. */
export const menuCompanion: EditorCompanion = ({ editor, path, run }) => {
  if ('uri' in path) return () => {}
  const entry = (id: 'git.fileHistory' | 'git.blame', work: () => void, order: number) =>
    editor.addAction({
      id,
      label: t(`command.${id}`),
      contextMenuGroupId: '2_git',
      contextMenuOrder: order,
      run: work,
    })
  const entries = [
    entry('git.fileHistory', () => void run('git.fileHistory', { path }), 1),
    entry('git.blame', () => void run('git.blame'), 2),
  ]
  return () => {
    for (const each of entries) each.dispose()
  }
}
