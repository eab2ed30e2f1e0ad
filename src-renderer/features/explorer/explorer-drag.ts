/** Dragging within the tree, out of it and into it: paths as data, files from outside, folders that open while one waits above them. */
import type { DragEvent } from 'react'
import { z } from 'zod'
import { create } from 'zustand'
import { pathKey, samePath, WirePath } from '#contract/path'
import { expandFolder } from '../../client/workspace-pump.ts'
import { parentOf } from '../../state/mirror/tree.ts'
import { copyInto, isFolder, moveInto } from './explorer-actions.ts'
import { receive, thingsOf } from './explorer-receive.ts'
import { chosen, explorerState } from './explorer-state.ts'
import { showFault } from './explorer-undo.ts'

/** Other parts of the window (composer, editor) may take it too. */
export const DRAG_TYPE = 'application/x-belay-paths'
const OPEN_AFTER_MS = 700

export const dropTarget = create<{ readonly folder: WirePath | null }>(() => ({ folder: null }))
let waiting: ReturnType<typeof setTimeout> | undefined

export function startDrag(path: WirePath, event: DragEvent): void {
  const { selected } = explorerState.getState()
  const paths = selected.has(pathKey(path)) ? chosen() : [path]
  event.dataTransfer.setData(DRAG_TYPE, JSON.stringify(paths))
  event.dataTransfer.setData('text/plain', paths.map(each => each.path).join('\n'))
  event.dataTransfer.effectAllowed = 'copyMove'
}

export function dragOver(over: WirePath, event: DragEvent): void {
  const own = event.dataTransfer.types.includes(DRAG_TYPE)
  if (!own && !event.dataTransfer.types.includes('Files')) return
  event.preventDefault()
  event.dataTransfer.dropEffect = !own || wantsCopy(event) ? 'copy' : 'move'
  const folder = isFolder(over) ? over : parentOf(over)
  const before = dropTarget.getState().folder
  if (before && samePath(before, folder)) return
  dropTarget.setState({ folder })
  clearTimeout(waiting)
  waiting = setTimeout(() => void expandFolder(folder), OPEN_AFTER_MS)
}

export function endDrag(): void {
  clearTimeout(waiting)
  dropTarget.setState({ folder: null })
}

export function drop(event: DragEvent): void {
  const { folder } = dropTarget.getState()
  endDrag()
  if (!folder) return
  event.preventDefault()
  if (!event.dataTransfer.types.includes(DRAG_TYPE))
    return void receive(thingsOf(event.dataTransfer), folder).catch(showFault)
  const paths = readPaths(event.dataTransfer.getData(DRAG_TYPE))
  if (paths.length === 0) return
  const work = wantsCopy(event) ? copyInto(paths, folder) : moveInto(paths, folder)
  work.catch(showFault)
}

const wantsCopy = (event: DragEvent): boolean => event.ctrlKey || event.altKey

function readPaths(text: string): WirePath[] {
  try {
    return z.array(WirePath).parse(JSON.parse(text))
  } catch {
    return []
  }
}
