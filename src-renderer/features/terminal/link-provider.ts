/** Makes `file:line` in the output a link, once the file is known to exist. Ctrl or Cmd and a click opens it. */
import type { IBufferRange, ILink, Terminal } from '@xterm/xterm'
import type { WorkspaceId } from '#contract/id'
import type { AnyPath } from '#contract/path'
import type { WorkspaceInfo } from '#contract/workspace'
import { belay } from '../../client/index.ts'
import type { Place } from '../commands.ts'
import { absolutePath, findPaths } from './path-links.ts'

/** Answers are kept so that moving the mouse asks once. */
const KEEP_MS = 10_000
const MAX_KEPT = 500
const MAX_WRAPPED_ROWS = 8
const known = new Map<string, { at: number; place: Promise<AnyPath | null> }>()

export function provideFileLinks(
  terminal: Terminal,
  options: { workspace(): WorkspaceInfo | null; cwd(): string; open(place: Place): void },
): void {
  terminal.registerLinkProvider({
    provideLinks(row, answer) {
      const workspace = options.workspace()
      const logical = logicalLine(terminal, row - 1)
      const matches = workspace && logical ? findPaths(logical.text) : []
      if (!workspace || !logical || matches.length === 0) return answer(undefined)
      const { cols } = terminal
      const links = matches.map(async (match): Promise<ILink | null> => {
        const path = await resolveFile(workspace, match.path, options.cwd())
        if (!path) return null
        return {
          text: logical.text.slice(match.start, match.end),
          range: rangeOf(logical, match.start, match.end, cols),
          activate(event) {
            if (event.ctrlKey || event.metaKey) options.open({ path, line: match.line, column: match.column })
          },
        }
      })
      void Promise.all(links).then(found => answer(found.filter(link => link !== null)))
    },
  })
}

/** The file a path in a terminal means; null where there is none, or a folder. Never rejects. */
export function resolveFile(workspace: WorkspaceInfo, path: string, cwd: string): Promise<AnyPath | null> {
  const absolute = absolutePath(path, cwd, homeOf(cwd))
  if (!absolute) return Promise.resolve(null)
  const key = `${workspace.workspaceId} ${absolute}`
  const kept = known.get(key)
  if (kept && performance.now() - kept.at < KEEP_MS) return kept.place
  const place = statFile(workspace.workspaceId, toWire(workspace, absolute))
  known.set(key, { at: performance.now(), place })
  if (known.size > MAX_KEPT) known.delete(known.keys().next().value as string)
  return place
}

async function statFile(workspaceId: WorkspaceId, path: AnyPath): Promise<AnyPath | null> {
  try {
    const { kind } = await belay.workspace.stat({ workspaceId, path })
    return kind === 'file' || kind === 'link-file' ? path : null
  } catch {
    return null
  }
}

function toWire({ roots }: WorkspaceInfo, absolute: string): AnyPath {
  const slashed = (text: string) => text.replaceAll('\\', '/').replace(/\/$/, '')
  const inside = roots
    .map(root => ({ root, at: slashed(root.absolute) }))
    .filter(({ at }) => absolute.startsWith(`${at}/`))
    .sort((a, b) => b.at.length - a.at.length)[0]
  if (inside) return { rootId: inside.root.rootId, path: absolute.slice(inside.at.length + 1) }
  const path = absolute.startsWith('/') ? absolute : `/${absolute}`
  return { uri: `file://${path.split('/').map(encodeURIComponent).join('/')}` }
}

/** Good enough for `~/`: what else a home may be, the shell has expanded before it prints. */
const homeOf = (cwd: string): string | null => /^(\/(?:home|Users)\/[^/]+|\/root)(?=\/|$)/.exec(cwd)?.[1] ?? null

interface LogicalLine {
  readonly text: string
  /** 0-based row of its first part. */
  readonly row: number
}

/** A long line that the terminal broke is one line again; only around the row asked for. */
function logicalLine(terminal: Terminal, row: number): LogicalLine | null {
  const buffer = terminal.buffer.active
  let first = row
  while (first > 0 && row - first < MAX_WRAPPED_ROWS && buffer.getLine(first)?.isWrapped) first--
  const parts: string[] = []
  for (let at = first; parts.length < 2 * MAX_WRAPPED_ROWS; at++) {
    const line = buffer.getLine(at)
    if (!line || (at > first && !line.isWrapped)) break
    const next = buffer.getLine(at + 1)
    parts.push(line.translateToString(!next?.isWrapped))
  }
  return parts.length ? { text: parts.join(''), row: first } : null
}

/** Counts UTF-16 units as cells: right for paths in ASCII, a few cells off behind wide letters. */
function rangeOf({ row }: LogicalLine, start: number, end: number, cols: number): IBufferRange {
  const cell = (at: number) => ({ x: (at % cols) + 1, y: row + Math.floor(at / cols) + 1 })
  return { start: cell(start), end: cell(end - 1) }
}
