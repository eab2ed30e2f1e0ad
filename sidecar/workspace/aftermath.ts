/**
 * After a burst the watcher may have lost events and does not say so. So the times of the folders that matter are compared
 * for a while: whichever changed unheard is told once more, until all of them have rested.
 */
import { stat } from 'node:fs/promises'

const LOOK_MS = 500
/** Looks in a row that must find nothing new. */
const CALM_LOOKS = 3
const MOST_LOOKS = 60

export interface Aftermath {
  /** From now on, for a while. `extra`: where the burst was, besides what somebody looks at. */
  begin(extra: readonly string[]): void
  dispose(): void
}

export function createAftermath(options: {
  /** Folders somebody looks at. */
  folders(): readonly string[]
  onChanged(folder: string): void
}): Aftermath {
  let timer: NodeJS.Timeout | undefined
  let times = new Map<string, number>()
  let extras: readonly string[] = []
  let calm = 0
  let looks = 0
  let run = 0

  const read = async (): Promise<Map<string, number>> => {
    const folders = [...new Set([...options.folders(), ...extras])]
    const all = await Promise.all(
      folders.map(folder =>
        stat(folder).then(
          facts => facts.mtimeMs,
          () => 0,
        ),
      ),
    )
    return new Map(folders.map((folder, at) => [folder, all[at] ?? 0]))
  }
  const look = async (mine: number) => {
    const now = await read()
    if (mine !== run) return
    const changed = [...now].filter(([folder, time]) => times.has(folder) && times.get(folder) !== time)
    times = now
    calm = changed.length > 0 ? 0 : calm + 1
    looks += 1
    for (const [folder] of changed) options.onChanged(folder)
    if (calm < CALM_LOOKS && looks < MOST_LOOKS) timer = setTimeout(() => void look(mine), LOOK_MS)
  }

  return {
    begin(extra) {
      clearTimeout(timer)
      run += 1
      extras = extra
      calm = 0
      looks = 0
      const mine = run
      void read().then(now => {
        if (mine !== run) return
        times = now
        timer = setTimeout(() => void look(mine), LOOK_MS)
      })
    },
    dispose() {
      run += 1
      clearTimeout(timer)
    },
  }
}
