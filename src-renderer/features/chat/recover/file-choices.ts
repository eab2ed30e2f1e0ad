/** What a person decides about single files of a rewind, and what then becomes of each. Pure. */
import type { RewindLine } from '#contract/head'
import { pathKey, type WirePath } from '#contract/path'

/** By `pathKey`. */
export interface FileChoices {
  /** Would be brought back, and is left as it is. */
  readonly leave: ReadonlySet<string>
  /** Would be kept, and loses the agent's lines. */
  readonly merge: ReadonlySet<string>
}
export const noChoices: FileChoices = { leave: new Set(), merge: new Set() }

export type Fate = RewindLine['action'] | 'leave'

export function fateOf(line: RewindLine, { leave, merge }: FileChoices): Fate {
  const key = pathKey(line.path)
  if (line.action === 'restore' || line.action === 'remove') return leave.has(key) ? 'leave' : line.action
  return line.action === 'keep' && line.merge && merge.has(key) ? 'merge' : line.action
}

/** Whether it is another file afterwards. */
export const isTouched = (fate: Fate): boolean => fate === 'restore' || fate === 'remove' || fate === 'merge'

/** What may become of it, the core's own proposal first; one alone is no choice. */
export function fatesOf(line: RewindLine): readonly Fate[] {
  if (line.action === 'restore' || line.action === 'remove') return [line.action, 'leave']
  return line.action === 'keep' && line.merge ? ['keep', 'merge'] : [line.action]
}

export function choose(choices: FileChoices, line: RewindLine, fate: Fate): FileChoices {
  const key = pathKey(line.path)
  const change = (of: ReadonlySet<string>, has: boolean) => {
    const next = new Set(of)
    if (has) next.add(key)
    else next.delete(key)
    return next
  }
  return { leave: change(choices.leave, fate === 'leave'), merge: change(choices.merge, fate === 'merge') }
}

/** As the core takes them. */
export const chosenPaths = (
  lines: readonly RewindLine[],
  choices: FileChoices,
): { leave: WirePath[]; merge: WirePath[] } => {
  const those = (fate: Fate) => lines.filter(line => fateOf(line, choices) === fate).map(({ path }) => path)
  return { leave: those('leave'), merge: those('merge') }
}
