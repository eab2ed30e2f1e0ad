/** Who wrote the lines of a text: at the caret's line behind its text, and, where asked for, beside every line. A click leads to the commit. */
import type { editor } from 'monaco-editor/editor'
import type { GitBlame } from '#contract/git'
import type { WirePath } from '#contract/path'
import { belay } from '../../../client/index.ts'
import { useGit } from '../../../state/mirror/git.ts'
import { settingNow } from '../../../state/mirror/settings.ts'
import { workspaceView } from '../../../state/view/workspace.ts'
import { formatAgo } from '../../../ui/format.ts'
import { t } from '../../../ui/i18n.ts'
import { visibleLine } from '../../../ui/visible.ts'
import type { ShownText } from '../../feature.ts'
import { blameShown } from './blame-shown.ts'
import { authorOf, type BlamedLine, linesOfBlame } from './lines.ts'
import './blame.css'

const AFTER_TYPING_MS = 600
/** The wire's bound for a text that is sent along. */
const MOST_CHARS = 5_000_000
const MOST_AUTHOR_CHARS = 16
/** Room for the line number, the gap between both, and the editor's own margin. */
const BESIDE_AUTHOR_CHARS = 8

export function showBlame({ editor: shown, run }: ShownText, path: WirePath): () => void {
  const atCaret = shown.createDecorationsCollection()
  const hovers = shown.createDecorationsCollection()
  let lines: readonly (BlamedLine | null)[] = []
  let asking = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  const drawCaret = () => {
    const line = shown.getPosition()?.lineNumber ?? 0
    const blamed = lines[line - 1]
    const model = shown.getModel()
    if (!blamed || !model || line > model.getLineCount()) return atCaret.clear()
    const column = model.getLineMaxColumn(line)
    atCaret.set([
      {
        range: { startLineNumber: line, startColumn: column, endLineNumber: line, endColumn: column },
        options: {
          showIfCollapsed: true,
          after: { content: `   ${wordsOf(blamed)}`.slice(0, 160), inlineClassName: 'git-blame-line' },
          hoverMessage: { value: hoverOf(blamed) },
        },
      },
    ])
  }
  const drawAll = () => {
    const all = blameShown.get() === 'all'
    shown.updateOptions(
      all && lines.length > 0
        ? {
            lineNumbers: number => gutterOf(lines[number - 1] ?? null, lines[number - 2] ?? null, number),
            lineNumbersMinChars:
              BESIDE_AUTHOR_CHARS + lines.reduce((most, line) => Math.max(most, whoOf(line).length), 0),
          }
        : plainNumbers(),
    )
    hovers.set(
      all
        ? lines.flatMap((blamed, at) =>
            blamed && blamed.commit !== lines[at - 1]?.commit
              ? [
                  {
                    range: { startLineNumber: at + 1, startColumn: 1, endLineNumber: at + blamed.run, endColumn: 1 },
                    options: { lineNumberHoverMessage: { value: hoverOf(blamed) } },
                  },
                ]
              : [],
          )
        : [],
    )
  }
  const draw = () => {
    drawCaret()
    drawAll()
  }
  const read = async () => {
    const { workspace } = workspaceView.getState()
    const model = shown.getModel()
    if (!workspace || !model || model.getValueLength() > MOST_CHARS) return
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const text = model.getValue()
    const pages: GitBlame[] = []
    const at = { workspaceId: workspace.workspaceId, rootId: path.rootId, path: path.path, text }
    for (let line: number | null = 1; line !== null; ) {
      const page: GitBlame = await belay.git.blame({ ...at, line }, { signal })
      if (signal.aborted) return
      pages.push(page)
      line = page.nextLine
    }
    lines = linesOfBlame(pages)
    draw()
  }
  const readSoon = (afterMs: number) => {
    clearTimeout(timer)
    // Not tracked, or binary: then nobody wrote it yet.
    timer = setTimeout(() => void read().catch(() => {}), afterMs)
  }
  const openCommit = ({ committed, commit }: BlamedLine) => {
    if (committed) void run('git.showCommit', { rootId: path.rootId, commit })
  }
  const headOf = () => useGit.getState().statuses[path.rootId]?.head
  let head = headOf()
  const listening = [
    shown.onDidChangeCursorPosition(drawCaret),
    shown.onDidChangeModelContent(() => {
      atCaret.clear()
      readSoon(AFTER_TYPING_MS)
    }),
    shown.onMouseDown(event => {
      const blamed = lines[(event.target.position?.lineNumber ?? 0) - 1]
      const onWords = event.target.element?.classList.contains('git-blame-line') ?? false
      if (blamed && (onWords || (isNumber(event) && blameShown.get() === 'all'))) openCommit(blamed)
    }),
  ]
  const stops = [
    blameShown.on(draw),
    useGit.subscribe(() => {
      if (headOf() === head) return
      head = headOf()
      readSoon(0)
    }),
  ]
  readSoon(0)
  return () => {
    clearTimeout(timer)
    asking.abort()
    for (const stop of stops) stop()
    for (const each of listening) each.dispose()
    atCaret.clear()
    hovers.clear()
    shown.updateOptions(plainNumbers())
  }
}

const isNumber = ({ target }: editor.IEditorMouseEvent): boolean => target.type === GUTTER_LINE_NUMBERS
/** Monaco's own number for it; its enum would bring all of Monaco in here. */
const GUTTER_LINE_NUMBERS = 3

const plainNumbers = (): editor.IEditorOptions => ({
  lineNumbers: settingNow('editor.lineNumbers') ? 'on' : 'off',
  lineNumbersMinChars: 4,
})

const wordsOf = ({ committed, author, at, subject }: BlamedLine): string =>
  committed ? visibleLine(`${author}, ${formatAgo(at * 1000)} · ${subject}`) : t('source.notCommitted')

const whoOf = (line: BlamedLine | null): string =>
  line ? authorOf(line.committed ? visibleLine(line.author) : t('source.you'), MOST_AUTHOR_CHARS) : ''

/** The author once per run of lines; the number always. */
function gutterOf(line: BlamedLine | null, before: BlamedLine | null, number: number): string {
  const isFirst = line !== null && line.commit !== before?.commit
  return `${isFirst ? whoOf(line) : ''}  ${String(number).padStart(4, '\u2007')}`
}

/** Markdown of Monaco's hovers: nothing of the repository may be taken for it. */
const plain = (text: string): string => visibleLine(text).replace(/[\\`*_{}[\]()#+\-.!<>|~&]/g, '\\$&')
const hoverOf = (line: BlamedLine): string =>
  line.committed
    ? `${plain(line.subject)}\n\n${plain(line.author)}, ${plain(formatAgo(line.at * 1000))} · ${line.commit.slice(0, 8)}`
    : plain(t('source.notCommitted'))
