/** A file in conflict: ours and theirs above (the base at will), the result below in an editor like any other. */
import type { editor } from 'monaco-editor/editor'
import { useCallback, useMemo, useState } from 'react'
import type { GitConflict } from '#contract/git'
import { baseName } from '#contract/path'
import { localize, useT } from '../../../ui/i18n.ts'
import { EmptyState, Spinner, Splitter } from '../../../ui/index.ts'
import { languageOf, type Monaco, useMonaco } from '../../../ui/monaco/index.ts'
import { visibleLine } from '../../../ui/visible.ts'
import type { EditorCompanion, PageProps } from '../../feature.ts'
import { ConflictArgument } from '../open.ts'
import { ConflictBar } from './conflict-bar.tsx'
import { findEach } from './find-lines.ts'
import { conflictsIn, type Result } from './in-text.ts'
import { linesTaken, type Span } from './markers.ts'
import { SideView } from './side-view.tsx'
import { type Sides, useConflict } from './use-conflict.ts'
import { WholeSides } from './whole-sides.tsx'
import '../git.css'
import './conflict.css'

export function ConflictPage({ argument, Text }: PageProps) {
  const t = useT()
  const monaco = useMonaco()
  const path = useMemo(() => ConflictArgument.parse(argument), [argument])
  const { sides, fault, resolved } = useConflict(path)
  const [withBase, setWithBase] = useState(false)
  const [result, setResult] = useState<Result | null>(null)
  const companion = useCallback<EditorCompanion>(({ editor: shown }) => followResult(shown, setResult), [])
  if (!sides && resolved)
    return (
      <EmptyState title={t('source.notInConflict')} body={t('source.notInConflictHint')}>
        <ConflictBar path={path} result={null} resolved withBase={null} onWithBase={setWithBase} />
      </EmptyState>
    )
  if (!sides || !monaco)
    return (
      <div className="git-wait">
        {fault ? (
          <EmptyState title={t('source.conflictFailed')} body={localize(fault.message)} />
        ) : (
          <Spinner label={t('source.conflictLoading')} />
        )}
      </div>
    )
  const { base, ours, theirs } = sides.conflict
  if (ours.kind !== 'text' || theirs.kind !== 'text')
    return <WholeSides path={path} conflict={sides.conflict} resolved={resolved} />
  return (
    <div className="git-conflict">
      <ConflictBar
        path={path}
        result={result}
        resolved={resolved}
        withBase={base.kind === 'text' ? withBase : null}
        onWithBase={setWithBase}
      />
      <Splitter
        vertical
        label={t('source.resizeSides')}
        className="git-conflict-split"
        panes={[
          {
            id: 'sides',
            minSize: 80,
            content: (
              <Above monaco={monaco} name={baseName(path.path)} sides={sides} withBase={withBase} result={result} />
            ),
          },
          {
            id: 'result',
            minSize: 120,
            content: (
              <section className="git-side" aria-label={t('source.result')}>
                <h3>
                  {t('source.result')} <span>{visibleLine(path.path)}</span>
                </h3>
                <div className="git-result">
                  <Text path={path} companion={companion} />
                </div>
              </section>
            ),
          },
        ]}
      />
    </div>
  )
}

/** Tells of the conflicts that are left in the result, and of the one the caret is in. */
function followResult(shown: editor.IStandaloneCodeEditor, tell: (result: Result | null) => void): () => void {
  const look = () => {
    const conflicts = conflictsIn(shown.getModel())
    const line = shown.getPosition()?.lineNumber ?? 0
    const at = conflicts.findIndex(({ whole }) => line >= whole.from && line <= whole.to)
    tell({ editor: shown, conflicts, at })
  }
  look()
  const listening = [shown.onDidChangeModelContent(look), shown.onDidChangeCursorPosition(look)]
  return () => {
    for (const each of listening) each.dispose()
    tell(null)
  }
}

interface AboveProps {
  readonly monaco: Monaco
  readonly name: string
  readonly sides: Sides
  readonly withBase: boolean
  readonly result: Result | null
}

const none: readonly number[] = []
const textOf = (side: GitConflict['base']): string => (side.kind === 'text' ? side.text : '')
const split = (text: string): string[] => text.split(/\r\n|\n|\r/)

function Above({ monaco, name, sides, withBase, result }: AboveProps) {
  const t = useT()
  const { conflict, oursChanged, theirsChanged } = sides
  const language = languageOf(monaco, name)
  const lines = useMemo(
    () => ({
      ours: split(textOf(conflict.ours)),
      theirs: split(textOf(conflict.theirs)),
      base: split(textOf(conflict.base)),
    }),
    [conflict],
  )
  const shows = (side: 'ours' | 'theirs' | 'base'): Span | null => {
    const model = result?.editor.getModel()
    if (!result || result.at < 0 || !model) return null
    const content = model.getLinesContent()
    const runs = result.conflicts.slice(0, result.at + 1).map(each => linesTaken(content, each, side))
    return findEach(lines[side], runs).at(-1) ?? null
  }
  const view = (side: 'ours' | 'theirs' | 'base', of: string, changed: readonly number[]) => ({
    id: side,
    minSize: 120,
    content: (
      <SideView
        monaco={monaco}
        name={visibleLine(of)}
        label={t(`source.side.${side}`)}
        text={textOf(conflict[side])}
        language={language}
        changed={changed}
        className={`git-conflict-${side}`}
        shows={shows(side)}
      />
    ),
  })
  return (
    <Splitter
      label={t('source.resizeSides')}
      panes={[
        view('ours', conflict.oursName, oursChanged),
        ...(withBase ? [view('base', '', none)] : []),
        view('theirs', conflict.theirsName, theirsChanged),
      ]}
    />
  )
}
