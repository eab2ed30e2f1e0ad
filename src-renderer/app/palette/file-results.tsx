/** Files by fuzzy name; those lately opened before anything is typed. Enter opens, Ctrl+Enter opens beside. */
import { Command } from 'cmdk'
import { File } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { baseName, parentPath, pathKey, type WirePath } from '#contract/path'
import { belay } from '../../client/index.ts'
import { useCommand } from '../../features/commands.ts'
import { recentFiles } from '../../state/view/recent-files.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { localize, useT } from '../../ui/i18n.ts'
import { Spinner } from '../../ui/index.ts'
import { Matched } from '../../ui/matched.tsx'
import { readFileQuery } from './file-query.ts'

interface FoundFile {
  readonly path: WirePath
  readonly positions: readonly number[]
}
export interface FileResultsProps {
  readonly query: string
  /** The first row's value, when the rows changed: it becomes the chosen one. */
  readonly onFirst: (value: string) => void
  /** Closes the palette, then does that. */
  readonly onLeave: (then: () => void) => void
}

const LIMIT = 60

export function FileResults({ query, onFirst, onLeave }: FileResultsProps) {
  const t = useT()
  const run = useCommand()
  const workspace = useWorkspace()
  const { name, line, column } = readFileQuery(query)
  const { files, fault, answers } = useFound(workspace?.workspaceId, name)
  const first = files?.[0] && pathKey(files[0].path)
  const hand = useHand(name)
  useEffect(() => {
    if (first) onFirst(first)
  }, [first, onFirst])
  const open = (path: WirePath) => {
    const { side } = hand.current
    onLeave(() => void run('editor.open', { path, line, column, side }))
  }
  const choose = (path: WirePath) => {
    // What is shown may still answer the words before; who clicks has seen it, who types has not.
    if (answers === name || !hand.current.byKey) open(path)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer that has come is looked at once
  useEffect(() => {
    const [found] = files ?? []
    if (found && answers === name && hand.current.wish === name) open(found.path)
  }, [files, answers])
  if (fault) return <div className="palette-none">{fault}</div>
  if (!files)
    return (
      <div className="palette-none">
        <Spinner label={t('app.searchingFiles')} />
      </div>
    )
  if (files.length === 0) return <div className="palette-none">{t(name ? 'app.noFile' : 'app.typeToFind')}</div>
  const many = (workspace?.roots.length ?? 0) > 1
  return (
    <>
      {files.map(({ path, positions }) => {
        const folder = parentPath(path.path)
        const start = folder ? folder.length + 1 : 0
        const root = many ? workspace?.roots.find(each => each.rootId === path.rootId)?.name : null
        return (
          <Command.Item
            key={pathKey(path)}
            value={pathKey(path)}
            onSelect={() => choose(path)}
            className="palette-item"
          >
            <File size={14} />
            <span className="palette-name">
              <Matched text={baseName(path.path)} positions={positions} from={start} />
            </span>
            <span className="palette-where">
              {root && `${root} / `}
              <Matched text={folder} positions={positions} />
            </span>
          </Command.Item>
        )
      })}
    </>
  )
}

/**
 * How the last choice was made, and the words whose first file is wished for: Enter may be faster than their answer. Any other
 * key takes the wish back. The field has the keys, so they are heard on the window.
 */
function useHand(name: string) {
  const hand = useRef<{ byKey: boolean; side: boolean; wish: string | null }>({ byKey: false, side: false, wish: null })
  const typed = useRef(name)
  useLayoutEffect(() => {
    typed.current = name
  }, [name])
  useEffect(() => {
    const hear = (event: KeyboardEvent | PointerEvent) => {
      const byKey = event instanceof KeyboardEvent
      const wishes = byKey && event.key === 'Enter' && !event.isComposing && event.keyCode !== 229
      hand.current = { byKey, side: event.ctrlKey || event.metaKey, wish: wishes ? typed.current : null }
    }
    window.addEventListener('keydown', hear, true)
    window.addEventListener('pointerdown', hear, true)
    return () => {
      window.removeEventListener('keydown', hear, true)
      window.removeEventListener('pointerdown', hear, true)
    }
  }, [])
  return hand
}

/** Null files: not answered yet. What was found for the words before stays until the next answer, so that nothing flickers; `answers` says which words it is of. */
function useFound(workspaceId: Parameters<typeof belay.workspace.find>[0]['workspaceId'] | undefined, query: string) {
  const recent = recentFiles.get()
  const [found, setFound] = useState<{
    files: readonly FoundFile[] | null
    fault: string | null
    answers: string | null
  }>(() => ({
    answers: null,
    files: recent.length > 0 && query === '' ? recentAsFound(recent) : null,
    fault: null,
  }))
  useEffect(() => {
    if (!workspaceId) return
    const lately = query === '' ? recentAsFound(recentFiles.get()) : []
    if (lately.length > 0) setFound({ files: lately, fault: null, answers: query })
    const controller = new AbortController()
    // Each key is asked for at once: the answer takes less time than the next key.
    belay.workspace.find({ workspaceId, query, limit: LIMIT }, { signal: controller.signal }).then(
      ({ files }) => {
        if (controller.signal.aborted) return
        const known = new Set(lately.map(file => pathKey(file.path)))
        setFound({
          files: [...lately, ...files.filter(file => !known.has(pathKey(file.path)))].slice(0, LIMIT),
          fault: null,
          answers: query,
        })
      },
      fault =>
        !controller.signal.aborted &&
        setFound({ files: [], fault: localize((fault as Error).message), answers: query }),
    )
    return () => controller.abort()
  }, [workspaceId, query])
  return found
}

const recentAsFound = (paths: ReturnType<typeof recentFiles.get>): FoundFile[] =>
  paths.flatMap(path => ('uri' in path ? [] : [{ path, positions: [] }]))
