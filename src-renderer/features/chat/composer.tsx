/** Where a person writes: IME-safe, many lines, drafts kept; Enter sends or steers, Ctrl+Enter queues, with Shift it stops and sends, Escape closes popups and kills nothing. */
import { ArrowUp, ListEnd, Paperclip, Square, SquareArrowUp } from 'lucide-react'
import { type ClipboardEvent, type DragEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { baseName, pathKey } from '#contract/path'
import type { PromptPart } from '#contract/session'
import { useSessionFact } from '../../state/mirror/session.ts'
import { useSessionId } from '../../state/view/session.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { Button, IconButton, toast } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { lastPrompt, sendPrompt, type WhenRunning } from './actions.ts'
import { attachFiles } from './attach.ts'
import { AttachmentChip } from './attachment-chip.tsx'
import { CompletionList } from './completion-list.tsx'
import { chatDraft, pasted, takeOut } from './draft.ts'
import { Gauge } from './gauge.tsx'
import { ModelPicker } from './model-picker.tsx'
import { EffortPicker, ModePicker } from './pickers.tsx'
import { showProblem } from './problem.ts'
import { readSlash } from './slash.ts'
import { SlashHint, type SlashProblem } from './slash-hint.tsx'
import { useCompletion } from './use-completion.ts'

const MAX_ROWS_PX = 240

export function Composer() {
  const t = useT()
  const run = useCommand()
  const id = useSessionId()
  const running = useSessionFact(id, 'running') !== null
  const workspace = useWorkspace()
  const gone = Boolean(workspace?.roots[0]?.missing)
  const trusted = (workspace?.trusted ?? false) && !gone
  const draft = chatDraft.use()
  const files = pasted(state => state.files)
  const [sending, setSending] = useState(false)
  const [problem, setProblem] = useState<SlashProblem | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const completion = useCompletion(field, () => void send('steer'))
  // A prompt that may have arrived is sent again under its own name: the same id twice is one prompt.
  const unsure = useRef<{ key: string; requestId: string } | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const element = field.current
    if (!element) return
    element.style.height = 'auto'
    element.style.height = `${Math.min(element.scrollHeight, MAX_ROWS_PX)}px`
  }, [draft.text])

  const empty = draft.text.trim() === '' && draft.paths.length === 0 && files.length === 0
  const send = async (whenRunning: WhenRunning) => {
    const slash = readSlash(draft.text)
    if (slash?.kind === 'problem') return setProblem(slash)
    if (slash) {
      chatDraft.set(now => ({ ...now, text: '' }))
      return slash.run(run)
    }
    if (empty || sending || !trusted) return
    const parts: PromptPart[] = [
      ...(draft.text.trim() === '' ? [] : [{ kind: 'text' as const, text: draft.text.trim() }]),
      ...draft.paths.map(path => ({ kind: 'path' as const, path })),
      ...files,
    ]
    const key = JSON.stringify([id, draft, files.length])
    const requestId = unsure.current?.key === key ? unsure.current.requestId : crypto.randomUUID()
    unsure.current = { key, requestId }
    setSending(true)
    try {
      const { why } = await sendPrompt(requestId, parts, whenRunning)
      unsure.current = null
      if (why) toast.info(t(`chat.queuedInstead.${why}`))
      takeOut(draft, files)
    } catch (thrown) {
      showProblem(t('chat.sendFailed'), thrown)
    } finally {
      setSending(false)
      field.current?.focus()
    }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    // 229: some input methods end a composition with an Enter of their own.
    if (event.nativeEvent.isComposing || event.keyCode === 229) return
    if (completion.onKeyDown(event)) return
    const mod = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && !event.altKey && (mod || !event.shiftKey)) {
      event.preventDefault()
      void send(mod ? (event.shiftKey ? 'stop' : 'queue') : 'steer')
    } else if (event.key === 'ArrowUp' && draft.text === '') {
      const last = lastPrompt()
      if (last === null) return
      event.preventDefault()
      chatDraft.set(now => ({ ...now, text: last }))
    }
  }
  const take = (list: FileList | undefined) => {
    if (list && list.length > 0) void attachFiles([...list])
  }
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    take(event.clipboardData.files)
  }
  const onDrop = (event: DragEvent) => {
    // Rows of the explorer.
    const dropped = event.dataTransfer.getData('application/x-belay-paths')
    event.preventDefault()
    if (dropped) for (const path of JSON.parse(dropped)) void run('agent.addToPrompt', { path })
    else take(event.dataTransfer.files)
  }
  return (
    <div className="chat-compose" data-context="chat">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: files may be dropped anywhere on the field */}
      <div className="chat-compose-box" onDrop={onDrop} onDragOver={event => event.preventDefault()}>
        {gone && <div className="chat-untrusted">{t('chat.gone')}</div>}
        {!trusted && !gone && (
          <div className="chat-untrusted">
            <span>{t('chat.untrusted')}</span>
            <Button onClick={() => void run('app.trust')}>{t('app.trust')}</Button>
          </div>
        )}
        <CompletionList completion={completion} />
        {(draft.paths.length > 0 || files.length > 0) && (
          <ul className="chat-attachments" aria-label={t('chat.attachments')}>
            {draft.paths.map(path => (
              <AttachmentChip
                key={pathKey(path)}
                name={'uri' in path ? path.uri : baseName(path.path)}
                onRemove={() => chatDraft.set(now => ({ ...now, paths: now.paths.filter(each => each !== path) }))}
              />
            ))}
            {files.map(file => (
              <AttachmentChip
                key={file.name}
                name={file.name}
                onRemove={() => pasted.setState(({ files: all }) => ({ files: all.filter(each => each !== file) }))}
              />
            ))}
          </ul>
        )}
        <textarea
          ref={field}
          data-autofocus
          rows={2}
          value={draft.text}
          aria-label={t('chat.prompt')}
          placeholder={t(running ? 'chat.placeholderRunning' : 'chat.placeholder')}
          spellCheck={false}
          onChange={event => {
            const { value } = event.target
            chatDraft.set(now => ({ ...now, text: value }))
            setProblem(null)
            completion.onInput(event.target)
          }}
          onSelect={event => completion.onInput(event.currentTarget)}
          onBlur={completion.close}
          onKeyDown={onKeyDown}
          onPaste={onPaste}
          {...completion.aria}
        />
        <SlashHint text={draft.text} problem={problem} />
        <div className="chat-bar">
          <ModePicker />
          <ModelPicker />
          <EffortPicker />
          <Gauge />
          <span className="chat-bar-end">
            <input ref={picker} type="file" multiple hidden onChange={event => take(event.target.files ?? undefined)} />
            <IconButton label={t('chat.attach')} icon={Paperclip} size={15} onClick={() => picker.current?.click()} />
            {running && empty ? (
              <IconButton
                className="chat-send"
                label={t('chat.stop')}
                keys="$mod+."
                icon={Square}
                size={13}
                onClick={() => void run('agent.stop')}
              />
            ) : (
              <>
                {running && (
                  <>
                    <IconButton
                      label={t('chat.stopAndSend')}
                      keys="$mod+Shift+Enter"
                      icon={SquareArrowUp}
                      size={15}
                      disabled={sending || !trusted}
                      onClick={() => void send('stop')}
                    />
                    <IconButton
                      label={t('chat.enqueue')}
                      keys="$mod+Enter"
                      icon={ListEnd}
                      size={15}
                      disabled={sending || !trusted}
                      onClick={() => void send('queue')}
                    />
                  </>
                )}
                <IconButton
                  className="chat-send"
                  label={t(running ? 'chat.steer' : 'chat.send')}
                  icon={ArrowUp}
                  disabled={empty || sending || !trusted}
                  onClick={() => void send('steer')}
                />
              </>
            )}
          </span>
        </div>
      </div>
    </div>
  )
}
