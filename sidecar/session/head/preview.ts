/** What a move of the head would do, told before it is done. Changes nothing. */

import type { RanCommand, RewindLine, RewindPreview } from '#contract/head'
import type { RestoreLine } from '#contract/ledger'
import type { SessionState } from '#contract/session-fold'
import type { ToolItem } from '#contract/session-state'
import { countLines } from '../../base/count-lines.ts'
import { type Aim, countOf, freedBy } from './aim.ts'
import type { Files, FilesAt, FilesPlan, HeadPorts } from './ports.ts'

/** Files that are listed and counted; commands that are listed. */
const MOST_LISTED = 1000
const MOST_COUNTED = 300
const MOST_COMMANDS = 200
/** Bytes of one side above which lines are not counted, and ms for one file. */
const MOST_TEXT_BYTES = 500_000
const COUNT_MS = 30

export const NOT_KEPT =
  'Belay keeps no checkpoints of this folder: it is a home folder, a whole disk, or was not trusted when the turn ran. The conversation alone can be moved.'
export const FORGOTTEN =
  'How the files were then is no longer kept: checkpoints go after a while, or when they take too much room. The conversation alone can be moved.'

export async function previewOf(
  state: SessionState,
  aim: Aim,
  at: FilesAt | 'nothing' | 'not_kept',
  {
    files,
    movesRefs,
    stillRunning,
  }: Pick<HeadPorts, 'movesRefs'> & { files: Files; stillRunning: ReadonlySet<string> },
): Promise<RewindPreview> {
  const plan = typeof at === 'string' ? null : await files.plan(at)
  const lines = plan ? await linesOf(plan, files) : []
  const unavailable = at === 'not_kept' ? NOT_KEPT : at === 'nothing' || plan ? null : FORGOTTEN
  const ran = aim.leaves.flatMap(item => (isCommand(item) ? item : []))
  const commands = await Promise.all(
    ran.slice(-MOST_COMMANDS).map(async (item): Promise<RanCommand> => {
      const command = commandOf(item)
      const { exitCode, backgroundId } = item.detail
      return {
        command,
        at: item.startedAt ?? item.at,
        exitCode: typeof exitCode === 'number' ? exitCode : null,
        running: stillRunning.has(String(backgroundId)),
        movesRefs: await movesRefs(command),
      }
    }),
  )
  return {
    leaves: countOf(aim.leaves),
    comes: countOf(aim.comes),
    prompt: freedBy(aim),
    running: state.facts.running !== null,
    files: { lines, more: (plan?.lines.length ?? 0) - lines.length, unavailable },
    commands,
    moreCommands: ran.length - commands.length,
    refs: await movedRefs(state, aim, files),
  }
}

/** For the wire: with lines counted, and what merging would give. */
export async function linesOf(plan: FilesPlan, files: Files): Promise<RewindLine[]> {
  const lines: RewindLine[] = []
  for (const [i, line] of plan.lines.slice(0, MOST_LISTED).entries()) {
    const merged = line.action === 'keep' || line.action === 'merge' ? await plan.merged(line) : null
    const counted = i < MOST_COUNTED ? await countsOf(line, merged?.text ?? null, files) : null
    const merge = merged && counted ? { conflicts: merged.conflicts, ...counted } : null
    lines.push({ ...line, ...(line.action === 'keep' ? uncounted : (counted ?? uncounted)), merge })
  }
  return lines
}

const uncounted = { added: null, removed: null }

async function countsOf(line: RestoreLine, merged: string | null, { contentOf }: Files) {
  const now = await textOf(line.now, contentOf)
  const after = merged ?? (await textOf(line.was, contentOf))
  return now === null || after === null ? null : countLines(now, after, COUNT_MS)
}

/** '' for nothing; null for what is no text, too large, or gone. */
export async function textOf(
  state: RestoreLine['was'],
  contentOf: Files['contentOf'],
  mostBytes = MOST_TEXT_BYTES,
): Promise<string | null> {
  if (!state) return ''
  if (!state.kept || state.kind !== 'file' || state.bytes > mostBytes) return null
  const bytes = await contentOf(state)
  return bytes && !bytes.includes(0) ? Buffer.from(bytes).toString('utf8') : null
}

const isCommand = (item: Aim['leaves'][number]): item is ToolItem =>
  item.kind === 'tool' && item.tool === 'bash' && item.startedAt !== null

function commandOf({ started, arguments: text }: ToolItem): string {
  const command = (started as { command?: unknown } | undefined)?.command
  return typeof command === 'string' ? command : text
}

/** Told from the first turn that goes: where git stood then, and where it stands now. */
async function movedRefs(state: SessionState, { leaves }: Aim, files: Files): Promise<RewindPreview['refs']> {
  const first = leaves.find(item => state.turns.get(item.turnId)?.refs !== undefined)
  const then = (first && state.turns.get(first.turnId)?.refs) ?? []
  if (then.length === 0) return []
  const now = await files.refs()
  return then.flatMap(before => {
    const is = now.find(({ root }) => root === before.root)
    return is && (is.branch !== before.branch || is.commit !== before.commit) ? [{ before, now: is }] : []
  })
}
