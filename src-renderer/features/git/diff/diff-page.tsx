/** A file at two sides. Each block of changed lines can be staged, unstaged or discarded where it stands; so can a selection. */
import type { editor } from 'monaco-editor/editor'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { baseName } from '#contract/path'
import { useEditorLook } from '../../../state/mirror/editor-look.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { EmptyState, Spinner } from '../../../ui/index.ts'
import { DiffEditor, languageOf, showLineActions, useMonaco } from '../../../ui/monaco/index.ts'
import type { PageProps } from '../../feature.ts'
import { told } from '../attempt.ts'
import { DiffArgument } from '../open.ts'
import { blocksOf, linesOf } from './blocks.ts'
import { DiffBar } from './diff-bar.tsx'
import {
  type FrontDiff,
  forgetFrontDiff,
  type LineVerb,
  selectedLines,
  setFrontDiff,
  takeThese,
  verbsFor,
} from './front-diff.ts'
import { NoText } from './no-text.tsx'
import { type Sides, textOf, useDiff } from './use-diff.ts'
import '../git.css'
import './diff.css'

export function DiffPage({ argument: given, title }: PageProps) {
  const t = useT()
  const argument = useMemo(() => DiffArgument.parse(given), [given])
  const { sides, fault } = useDiff(argument)
  if (!sides)
    return (
      <div className="git-wait">
        {fault ? (
          <EmptyState title={t('source.diffFailed')} body={localize(fault.message)} />
        ) : (
          <Spinner label={t('source.diffing')} />
        )}
      </div>
    )
  return <Shown argument={argument} sides={sides} title={title} />
}

interface ShownProps {
  readonly argument: DiffArgument
  readonly sides: Sides
  readonly title: string
}

function Shown({ argument, sides, title }: ShownProps) {
  const t = useT()
  const monaco = useMonaco()
  const look = useEditorLook()
  const [shown, setShown] = useState<editor.IStandaloneDiffEditor | null>(null)
  const { before, after, diff } = sides
  const onReady = useCallback((created: editor.IStandaloneDiffEditor) => {
    setShown(created)
    return () => {
      forgetFrontDiff(created)
      setShown(null)
    }
  }, [])
  const front = useMemo((): FrontDiff | null => shown && { argument, diff, editor: shown }, [shown, argument, diff])
  const selected = useFront(front)
  useBlockActions(front, t)
  if (diff.kind !== 'text') return <NoText argument={argument} sides={sides} />
  return (
    <div className="git-diff">
      <DiffBar argument={argument} diff={diff} exact={isExact(before) && isExact(after)} selected={selected} />
      {monaco ? (
        <DiffEditor
          monaco={monaco}
          look={look}
          label={title}
          language={languageOf(monaco, baseName(argument.path))}
          before={textOf(before)}
          after={textOf(after)}
          editable={false}
          onReady={onReady}
          className="git-diff-editor"
        />
      ) : (
        <div className="git-wait">
          <Spinner label={t('source.diffing')} />
        </div>
      )}
    </div>
  )
}

const isExact = (side: Sides['before']): boolean => side.kind !== 'text' || side.exact

/** Makes it the one that commands act on, and tells how many changed lines are selected. */
function useFront(front: FrontDiff | null): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (!front) return
    setFrontDiff(front)
    const sides = [front.editor.getOriginalEditor(), front.editor.getModifiedEditor()]
    const count = () => setCount(selectedLines(front).length)
    const listening = sides.flatMap(side => [
      side.onDidFocusEditorText(() => setFrontDiff(front)),
      side.onDidChangeCursorSelection(count),
    ])
    return () => {
      for (const each of listening) each.dispose()
    }
  }, [front])
  return count
}

const tones: Record<LineVerb, 'ok' | 'plain' | 'danger'> = { stage: 'ok', unstage: 'plain', discard: 'danger' }

/** Buttons at each block, once the editor has laid the difference out. */
function useBlockActions(front: FrontDiff | null, t: ReturnType<typeof useT>): void {
  useEffect(() => {
    if (!front) return
    const { argument, diff, editor: shown } = front
    const verbs = verbsFor(argument)
    if (verbs.length === 0) return
    const side = shown.getModifiedEditor()
    let end = () => {}
    const draw = () => {
      end()
      const last = side.getModel()?.getLineCount() ?? 1
      end = showLineActions(
        side,
        blocksOf(diff).map(block => ({
          line: Math.min(last, Math.max(1, block.newLine)),
          label: t('source.blockAt', { line: block.newLine }),
          actions: verbs.map(verb => ({
            label: t(`source.${verb}`),
            tone: tones[verb],
            onSelect: () => told(takeThese(verb, argument, diff.token, linesOf(block))),
          })),
        })),
      )
    }
    draw()
    const listening = shown.onDidUpdateDiff(draw)
    return () => {
      listening.dispose()
      end()
    }
  }, [front, t])
}
