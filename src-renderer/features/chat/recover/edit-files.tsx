/** Whether the files go back with an edited prompt: a box to tick, and what would become of each. */
import type { RewindPreview, RewindTarget } from '#contract/head'
import type { SessionId } from '#contract/id'
import { useT } from '../../../ui/i18n.ts'
import { type FileChoices, fateOf, isTouched } from './file-choices.ts'
import { RewindCommands } from './rewind-commands.tsx'
import { RewindFiles } from './rewind-files.tsx'

interface EditFilesProps {
  readonly sessionId: SessionId
  readonly to: RewindTarget
  readonly preview: RewindPreview
  readonly choices: FileChoices
  readonly onChoose: (choices: FileChoices) => void
  readonly on: boolean
  readonly onSwitch: (on: boolean) => void
}

export function EditFiles({ sessionId, to, preview, choices, onChoose, on, onSwitch }: EditFilesProps) {
  const t = useT()
  const { lines, more, unavailable } = preview.files
  if (unavailable !== null) return <p className="chat-reword-means">{unavailable}</p>
  if (lines.length === 0) return null
  const touched = lines.filter(line => isTouched(fateOf(line, choices))).length + more
  return (
    <>
      <label className="chat-reword-files">
        <input type="checkbox" checked={on} onChange={event => onSwitch(event.currentTarget.checked)} />
        {t('recover.editFiles', { count: touched })}
      </label>
      {on && (
        <>
          <RewindFiles {...{ sessionId, to, lines, more, choices, onChoose }} idle={false} />
          <RewindCommands preview={preview} />
        </>
      )}
    </>
  )
}
