/** An empty session teaches: what may be asked, and who answers. */
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { Mark } from '../../ui/index.ts'
import { sendPrompt } from './actions.ts'
import { useModeNote } from './mode-note.ts'
import { showProblem } from './problem.ts'
import { shortModel, useMode, useModel } from './use-chat.ts'

const examples = ['tour', 'inside', 'abilities'] as const

export function Beginning() {
  const t = useT()
  const { model } = useModel()
  const mode = useMode()
  const noteOf = useModeNote()
  const workspace = useWorkspace()
  const trusted = workspace?.trusted === true && !workspace.roots[0]?.missing
  const guide = model.startsWith('guide/')
  const ask = (text: string) =>
    void sendPrompt(crypto.randomUUID(), [{ kind: 'text', text }], 'steer').catch(thrown =>
      showProblem(t('chat.sendFailed'), thrown),
    )
  return (
    <div className="chat-flow chat-beginning">
      <Mark size={34} />
      <p>{guide ? t('chat.beginGuide') : t('chat.begin', { model: shortModel(model) })}</p>
      <p className="chat-dim">{noteOf(mode)}</p>
      <div className="chat-examples">
        {examples.map(name => (
          <button
            type="button"
            key={name}
            className="chat-example"
            disabled={!trusted}
            onClick={() => ask(t(`chat.example.${name}`))}
          >
            {t(`chat.example.${name}`)}
          </button>
        ))}
      </div>
    </div>
  )
}
