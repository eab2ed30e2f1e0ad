/** The one question of a rewind: the conversation, the files, or both; with what would become of everything, before anything is done. */
import { useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { RewindPart, RewindPreview, RewindTarget } from '#contract/head'
import type { SessionId } from '#contract/id'
import { settleDocuments } from '../../../client/document-pump.ts'
import { belay } from '../../../client/index.ts'
import { sessionNow } from '../../../state/mirror/session.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, Dialog, Segmented, Spinner, toast } from '../../../ui/index.ts'
import { useCommand } from '../../commands.ts'
import { chosenPaths, type FileChoices, fateOf, isTouched, noChoices } from './file-choices.ts'
import { giveBack } from './give-back.ts'
import { RewindCommands } from './rewind-commands.tsx'
import { RewindFiles } from './rewind-files.tsx'
import { doneWords, meansWords, titleWords } from './rewind-words.ts'
import { firstOfTarget } from './turn-items.ts'
import { usePreview } from './use-preview.ts'
import './rewind.css'

interface RewindDialogProps {
  readonly sessionId: SessionId
  readonly to: RewindTarget
  readonly onClose: () => void
}

const WIDTH_PX = 620
const parts: readonly RewindPart[] = ['conversation', 'files', 'both']

export function RewindDialog({ sessionId, to, onClose }: RewindDialogProps) {
  const t = useT()
  const run = useCommand()
  const { preview, fault, lookAgain } = usePreview(sessionId, to)
  const [wanted, setWanted] = useState<RewindPart>('both')
  const [choices, setChoices] = useState<FileChoices>(noChoices)
  const [acting, setActing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const main = useRef<HTMLButtonElement>(null)
  const possible = preview ? possibleParts(preview) : parts
  const what = possible.includes(wanted) ? wanted : (possible[0] ?? 'conversation')
  const state = sessionNow(sessionId)?.state
  const first = state && firstOfTarget(state, to)

  const rewind = async () => {
    if (!preview) return
    setActing(true)
    setProblem(null)
    try {
      await settleDocuments()
      const files = chosenPaths(what === 'conversation' ? [] : preview.files.lines, choices)
      const moved = await belay.head.rewind({ sessionId, requestId: crypto.randomUUID(), to, what, ...files })
      onClose()
      toast.ok(doneWords(t, what, moved.files))
      if (moved.prompt && what !== 'files') await giveBack(sessionId, moved.prompt)
      void run('app.focusAgent')
    } catch (thrown) {
      setProblem(localize(toFault(thrown).message))
    } finally {
      setActing(false)
    }
  }
  const forkInstead = () => {
    onClose()
    if (first) void run('agent.fork', { itemId: first, before: true })
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={titleWords(t, to, preview)}
      description={preview ? meansWords(t, what, preview, choices) : t('recover.looking')}
      width={WIDTH_PX}
      initialFocus={main}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            {t('recover.cancel')}
          </Button>
          {first && <Button onClick={forkInstead}>{t('recover.forkInstead')}</Button>}
          {fault ? (
            <Button ref={main} variant="main" onClick={lookAgain}>
              {t('recover.lookAgain')}
            </Button>
          ) : (
            <Button ref={main} variant="main" keys="Enter" busy={!preview || acting} onClick={() => void rewind()}>
              {t(acting ? 'recover.rewinding' : 'branch' in to ? 'recover.switch' : 'recover.rewind')}
            </Button>
          )}
        </>
      }
    >
      {fault ? (
        <p className="rewind-problem" role="alert">
          {localize(fault.message)}
        </p>
      ) : preview ? (
        <>
          <Segmented
            label={t('recover.what')}
            value={what}
            options={parts.map(value => ({
              value,
              label: t(`recover.part.${value}`),
              disabled: !possible.includes(value),
            }))}
            onChange={setWanted}
          />
          {preview.files.unavailable && <p className="rewind-note">{localize(preview.files.unavailable)}</p>}
          {preview.files.lines.length > 0 && (
            <RewindFiles
              {...{ sessionId, to, choices }}
              lines={preview.files.lines}
              more={preview.files.more}
              onChoose={setChoices}
              idle={what === 'conversation' || acting}
            />
          )}
          <RewindCommands preview={preview} />
          {preview.running && <p className="rewind-note">{t('recover.running')}</p>}
          {problem !== null && (
            <p className="rewind-problem" role="alert">
              {problem}
            </p>
          )}
        </>
      ) : (
        <div className="rewind-wait">
          <Spinner label={t('recover.looking')} />
        </div>
      )}
    </Dialog>
  )
}

/** What there is something to do for. */
function possibleParts({ leaves, comes, files }: RewindPreview): readonly RewindPart[] {
  const moves = leaves.messages + comes.messages > 0
  const hasFiles = files.lines.some(line => line.merge || isTouched(fateOf(line, noChoices)))
  return parts.filter(part => (part === 'files' || moves) && (part === 'conversation' || hasFiles))
}
