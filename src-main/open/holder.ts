/** Which of several windows a path belongs to. Pure. */
import { sep } from 'node:path'

interface Holder {
  readonly folders: readonly string[]
}

/** The one that shows this very folder, as its own or beside others. */
export const holderOfFolder = <W extends Holder>(windows: readonly W[], folder: string): W | null =>
  windows.find(({ folders }) => folders[0] === folder) ??
  windows.find(({ folders }) => folders.includes(folder)) ??
  null

/** The one with the innermost folder that holds the path; the first of equals. */
export function holderOfFile<W extends Holder>(windows: readonly W[], path: string): W | null {
  let best: { window: W; length: number } | null = null
  for (const window of windows)
    for (const folder of window.folders)
      if (holds(folder, path) && folder.length > (best?.length ?? 0)) best = { window, length: folder.length }
  return best?.window ?? null
}

const holds = (folder: string, path: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
