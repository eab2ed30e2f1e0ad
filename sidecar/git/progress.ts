/** How far a verb is that takes long, from the lines that git draws over. */
import type { GitProgress } from '#contract/git'

export type Progress = Omit<GitProgress, 'operationId'>

const phases: readonly [RegExp, Progress['phase']][] = [
  [/^(remote: )?(Enumerating|Counting|Compressing|Delta compression)/, 'preparing'],
  [/^Receiving/, 'receiving'],
  [/^(remote: )?Resolving/, 'resolving'],
  [/^Writing/, 'sending'],
  [/^(Updating|Checking out|Filtering)/, 'checkingOut'],
  [/^Rebasing/, 'merging'],
]
const TELL_EVERY_MS = 100

/** At most ten times a second, and every new phase. */
export function createTeller(onProgress: (progress: Progress) => void): (text: string) => void {
  let rest = ''
  let told = { phase: '', at: 0 }
  return text => {
    const lines = (rest + text).split(/[\r\n]/)
    rest = lines.pop()?.slice(-500) ?? ''
    for (const line of lines) {
      const phase = phases.find(([pattern]) => pattern.test(line))?.[1]
      if (!phase) continue
      const percent = /(\d+)%/.exec(line)?.[1]
      if (phase === told.phase && Date.now() - told.at < TELL_EVERY_MS) continue
      told = { phase, at: Date.now() }
      onProgress({ phase, percent: percent === undefined ? null : Number(percent) })
    }
  }
}
