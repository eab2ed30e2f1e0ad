/** An agent's file as text: saved only when it is an agent; what is wrong is said with its line, and nothing that was typed is lost. */
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { toFault } from '#contract/error'
import { belay } from '../../../client/index.ts'
import { useWorkspace } from '../../../state/view/workspace.ts'
import { matches, parseChord } from '../../../ui/chord.ts'
import { localize, useT } from '../../../ui/i18n.ts'
import { Button, IconButton, isMac, Segmented, TextField, toast } from '../../../ui/index.ts'
import { type AgentDraft, changeDraft, closeDraft, isName, lineIn } from './agent-draft.ts'
import { AgentText } from './agent-text.tsx'

interface AgentEditorProps {
  readonly draft: AgentDraft
  /** What it may be given. */
  readonly tools: readonly string[]
  readonly onSaved: () => void
}

export function AgentEditor({ draft, tools, onSaved }: AgentEditorProps) {
  const t = useT()
  const trusted = useWorkspace()?.trusted ?? false
  const { workspaceId, scope, text, saved, hash } = draft
  const [problem, setProblem] = useState<{ code: string; message: string } | null>(null)
  const [busy, setBusy] = useState(false)
  const fresh = hash === null
  const name = fresh ? draft.name || nameIn(text) : draft.name
  const dirty = text !== saved
  const save = async (over = hash) => {
    if (busy || !isName(name)) return
    setBusy(true)
    try {
      const written = await belay.agents.save({ workspaceId, scope, name, text, hash: over })
      changeDraft({ name, saved: text, hash: written.hash })
      setProblem(null)
      toast.ok(t('agents.saved', { name }))
      onSaved()
    } catch (thrown) {
      const { code, message } = toFault(thrown)
      setProblem({ code, message })
    } finally {
      setBusy(false)
    }
  }
  const onDisk = async (keep: boolean) => {
    try {
      const read = await belay.agents.read({ workspaceId, scope, name })
      if (keep) return await save(read.hash)
      changeDraft({ text: read.text, saved: read.text, hash: read.hash })
      setProblem(null)
    } catch (thrown) {
      setProblem({ code: 'internal', message: localize(toFault(thrown).message) })
    }
  }
  return (
    <section
      className="page page-full"
      aria-label={t('agents.editing', { name })}
      onKeyDown={event => {
        const chord = parseChord('$mod+S', isMac())?.[0]
        if (!chord || !matches(event.nativeEvent, chord)) return
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
    >
      <div className="page-head">
        <IconButton label={t('agents.back')} icon={ArrowLeft} onClick={closeDraft} />
        <h2>{fresh ? t('agents.makeOne') : <span className="mono">@{name}</span>}</h2>
        {dirty && !fresh && (
          <Button variant="ghost" onClick={() => changeDraft({ text: saved })}>
            {t('settings.revert')}
          </Button>
        )}
        <Button variant="main" keys="$mod+S" busy={busy} disabled={!dirty || !isName(name)} onClick={() => void save()}>
          {t('settings.save')}
        </Button>
      </div>
      {fresh && (
        <div className="page-form-row page-form-low">
          <TextField
            className="page-short page-mono"
            label={t('agents.name')}
            value={name}
            onChange={next => changeDraft({ name: next, text: renamed(text, next) })}
            error={isName(name) ? null : t('agents.badName')}
          />
          <Segmented
            label={t('agents.where')}
            value={scope}
            onChange={next => changeDraft({ scope: next })}
            options={[
              { value: 'user', label: t('agents.scope.user') },
              { value: 'workspace', label: t('agents.scope.workspace'), disabled: !trusted },
            ]}
          />
        </div>
      )}
      <p className="dim">{t('agents.how', { tools: tools.join(', ') })}</p>
      <div role="alert" className={problem ? 'agent-problem' : 'visually-hidden'}>
        {problem?.message}
        {problem?.code === 'stale' && (
          <span className="page-buttons">
            <Button onClick={() => void onDisk(false)}>{t('agents.takeTheirs')}</Button>
            <Button onClick={() => void onDisk(true)}>{t('agents.keepMine')}</Button>
          </span>
        )}
      </div>
      <AgentText
        name={`${scope}/${name}`}
        text={text}
        problem={problem && { line: lineIn(problem.message), message: problem.message }}
        onChange={next => {
          changeDraft({ text: next })
          if (problem?.code === 'invalid') setProblem(null)
        }}
      />
    </section>
  )
}

const nameLine = /^name:[ \t]*(.*?)[ \t]*$/m
const nameIn = (text: string): string => nameLine.exec(text)?.[1]?.replace(/^(["'])(.*)\1$/, '$2') ?? ''
/** The name in the file goes with the name in the field. */
const renamed = (text: string, name: string): string => text.replace(nameLine, () => `name: ${name}`)
