/** The hunks of a text: the diff, the decisions under each hunk, comments under their lines, and keys that act where the caret is. */
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { FileReview, ReviewHunk } from '#contract/review'
import { useEditorLook } from '../../state/mirror/editor-look.ts'
import { useT } from '../../ui/i18n.ts'
import { Spinner } from '../../ui/index.ts'
import {
  type Hunk,
  HunkEditor,
  type HunkEditorHandle,
  type LineNote,
  languageOf,
  useMonaco,
} from '../../ui/monaco/index.ts'
import type { PageProps } from '../feature.ts'
import { decide, stepFile } from './acts.ts'
import { CommentBox } from './comment-box.tsx'
import { begin, commentsOn, placeOf, useComments } from './comments.ts'
import { HunkBar } from './hunk-bar.tsx'
import { nameOf } from './names.ts'
import { PageBar } from './page-bar.tsx'
import { showProblem } from './problem.ts'
import { bringFront, type FileArgument, onFocusWish, reviewView } from './review-state.ts'

export interface ViewProps {
  readonly tabId: string
  readonly argument: FileArgument
  readonly review: FileReview
  readonly Actions: PageProps['Actions']
}

/** Whether it waits for a decision: a person's own does not. */
const counts = (hunk: ReviewHunk) => hunk.by !== 'you' && hunk.by !== 'outside'
const linesOf = (text: string | null) => (text ?? '').split(/\r\n|\r|\n/)

export function HunkView({ tabId, argument, review, Actions }: ViewProps) {
  const t = useT()
  const monaco = useMonaco()
  const look = useEditorLook()
  const inline = reviewView.use(view => view.inline)
  const handle = useRef<HunkEditorHandle | null>(null)
  const [line, setLine] = useState(0)
  const { hunks } = review
  const latest = useRef({ review, argument })
  latest.current = { review, argument }
  const at = currentHunk(hunks, line)

  const act = useCallback(async (what: 'accept' | 'revert', hunk: ReviewHunk) => {
    const { review: now, argument: here } = latest.current
    const { path } = here
    await decide(what, here.scope, [{ path, version: now.version, hunks: [hunk.id] }])
  }, [])
  const comment = useCallback((hunk: ReviewHunk | null) => {
    const shown = handle.current
    if (shown) begin({ path: latest.current.argument.path, ...chosenLines(shown, hunk) })
  }, [])

  useEffect(
    () =>
      bringFront({
        tabId,
        argument,
        step(by) {
          const { hunks: all } = latest.current.review
          const lineNow = (handle.current?.modified.getPosition()?.lineNumber ?? 1) - 1
          const next =
            by === 1 ? all.find(hunk => hunk.now.from > lineNow) : all.findLast(hunk => hunk.now.to <= lineNow)
          if (next) handle.current?.reveal(next, true)
          else stepFile(by)
        },
        async act(what) {
          const { hunks: all } = latest.current.review
          const lineNow = (handle.current?.modified.getPosition()?.lineNumber ?? 1) - 1
          const hunk = all[currentHunk(all, lineNow)]
          if (what === 'comment') comment(null)
          else if (hunk && counts(hunk)) await act(what, hunk)
        },
      }),
    [tabId, argument, act, comment],
  )

  const onReady = useCallback(
    (shown: HunkEditorHandle) => {
      handle.current = shown
      const heard = shown.modified.onDidChangeCursorPosition(({ position }) => setLine(position.lineNumber - 1))
      const first = latest.current.review.hunks.find(counts) ?? latest.current.review.hunks[0]
      if (first) shown.reveal(first, false)
      const unwish = onFocusWish(tabId, () => shown.modified.focus())
      return () => {
        unwish()
        heard.dispose()
        handle.current = null
      }
    },
    [tabId],
  )
  useCaretOnHunk(handle, review)

  const bar = useCallback(
    ({ id }: Hunk): ReactNode => {
      const index = hunks.findIndex(hunk => hunk.id === id)
      const hunk = hunks[index]
      if (!hunk) return null
      return (
        <HunkBar
          hunk={hunk}
          current={index === at}
          canAccept={argument.scope.kind !== 'git'}
          waits={counts(hunk)}
          onAct={what => act(what, hunk).catch(showProblem)}
          onComment={() => comment(hunk)}
        />
      )
    },
    [hunks, at, argument, act, comment],
  )
  const notes = useNotes(review, argument)
  const name = nameOf(argument.path)
  return (
    <>
      <Actions>
        <PageBar argument={argument} review={review} left={hunks.filter(counts).length} at={at} />
      </Actions>
      {monaco ? (
        <HunkEditor
          monaco={monaco}
          look={look}
          baseLabel={t('review.baseLabel', { name })}
          nowLabel={t('review.nowLabel', { name })}
          language={languageOf(monaco, name)}
          base={review.base ?? ''}
          now={review.now ?? ''}
          hunks={hunks}
          beside={!inline}
          bar={bar}
          notes={notes}
          onReady={onReady}
        />
      ) : (
        <div className="review-wait">
          <Spinner label={t('review.looking')} />
        </div>
      )}
    </>
  )
}

/** The hunk that holds the line, else the one after it, else the last. -1 without any. */
function currentHunk(hunks: readonly ReviewHunk[], line: number): number {
  const after = hunks.findIndex(hunk => line < Math.max(hunk.now.to, hunk.now.from + 1))
  return after < 0 ? hunks.length - 1 : after
}

/** When hunks went because they were decided on, the caret goes on to the next one that waits. */
function useCaretOnHunk(handle: { readonly current: HunkEditorHandle | null }, review: FileReview): void {
  const before = useRef(review)
  useLayoutEffect(() => {
    const was = before.current
    before.current = review
    const shown = handle.current
    if (!shown || was === review || review.hunks.length >= was.hunks.length) return
    if (!shown.modified.hasTextFocus()) return
    const line = (shown.modified.getPosition()?.lineNumber ?? 1) - 1
    const next = review.hunks.find(hunk => hunk.now.to >= line && counts(hunk)) ?? review.hunks.find(counts)
    if (next) shown.reveal(next, false)
  }, [handle, review])
}

/** What is selected, else the lines of the hunk, else the line of the caret; where nothing is left of it now, those of before. */
function chosenLines(shown: HunkEditorHandle, hunk: ReviewHunk | null) {
  const onBase = shown.original.hasTextFocus() || (hunk !== null && hunk.now.from === hunk.now.to)
  const side = onBase ? ('base' as const) : ('now' as const)
  const text = (onBase ? shown.original : shown.modified).getModel()
  const selected = (onBase ? shown.original : shown.modified).getSelection()
  const span = hunk && (onBase ? hunk.base : hunk.now)
  const from = span ? span.from + 1 : (selected?.startLineNumber ?? 1)
  const end = selected && selected.endColumn === 1 && selected.endLineNumber > selected.startLineNumber ? 1 : 0
  const to = span ? span.to : (selected?.endLineNumber ?? 1) - end
  const quote = Array.from({ length: to - from + 1 }, (_, i) => text?.getLineContent(from + i) ?? '').join('\n')
  return { side, from, to, quote }
}

function useNotes(review: FileReview, { path }: FileArgument): readonly LineNote[] {
  const comments = useComments()
  return useMemo(() => {
    const lines = { base: linesOf(review.base), now: linesOf(review.now) }
    return commentsOn(comments, path).map(comment => ({
      key: comment.id,
      side: comment.side,
      line: placeOf(comment, lines[comment.side]).to,
      content: <CommentBox comment={comment} />,
    }))
  }, [comments, path, review])
}
