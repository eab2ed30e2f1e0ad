/** An ask: what would run or be written, byte for byte; where; why it asks. A key each; the focus lands on the card, never on Allow. */
import { useEffect, useRef, useState } from 'react'
import { toFault } from '#contract/error'
import type { AskId, SessionId } from '#contract/id'
import type { AskedCall, PermissionAnswer } from '#contract/session-event'
import { belay } from '../../client/index.ts'
import { sessionMirror } from '../../state/mirror/session.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, Button, Tooltip, toast } from '../../ui/index.ts'
import { useCommand } from '../commands.ts'
import { askLabel } from './ask-words.ts'
import { DiffLines } from './diff-lines.tsx'
import { claimFocus } from './focus.ts'
import { linesOfNew, linesOfPatch } from './patch-lines.ts'
import { visible } from './visible.ts'

type Verdict = Pick<PermissionAnswer, 'verdict' | 'remember' | 'words'>

export function AskCard({ sessionId, askId }: { readonly sessionId: SessionId; readonly askId: AskId }) {
  const t = useT()
  const run = useCommand()
  const card = useRef<HTMLDivElement>(null)
  const [words, setWords] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const ask = sessionMirror(({ sessions }) => sessions[sessionId]?.state.asks.get(askId))
  useEffect(() => claimFocus(card.current), [])
  if (ask?.kind !== 'permission' || ask.answer) return null
  const { calls } = ask
  const forSession = calls.every(call => call.remember.includes('session'))
  const here = calls.every(call => call.remember.includes('here'))
  const dirty = calls.flatMap(call => call.dirty)

  const answer = async (verdict: Verdict) => {
    if (busy) return
    setBusy(true)
    try {
      const answers = calls.map(({ callId }) => ({ callId, ...verdict }))
      const { won } = await belay.session.answerPermission({ sessionId, batchId: askId, answers })
      if (!won) toast.info(t('chat.askElsewhere'))
    } catch (thrown) {
      setBusy(false)
      toast.error(t('chat.answerFailed'), { detail: toFault(thrown).message })
    }
  }
  const allow = (remember: PermissionAnswer['remember']) => void answer({ verdict: 'allow', remember })
  const deny = (said?: string) => void answer({ verdict: 'deny', remember: 'once', ...(said ? { words: said } : {}) })
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement || event.ctrlKey || event.metaKey || event.altKey) return
    const acts: Record<string, (() => void) | false> = {
      a: () => allow('once'),
      s: forSession && (() => allow('session')),
      h: here && (() => allow('here')),
      d: () => deny(),
      w: () => setWords(''),
    }
    const act = acts[event.key.toLowerCase()]
    if (!act) return
    event.preventDefault()
    act()
  }
  return (
    <section ref={card} className="chat-ask" tabIndex={0} aria-label={askLabel(calls)} onKeyDown={onKeyDown}>
      {calls.map(call => (
        <AskedPart key={call.callId} call={call} />
      ))}
      {dirty.length > 0 && (
        <div className="chat-why">
          {t('chat.askDirty', { count: dirty.length })}{' '}
          <Button variant="ghost" onClick={() => void run('editor.saveAll')}>
            {t('chat.saveAll')}
          </Button>
        </div>
      )}
      {words === null ? (
        <div className="chat-buttons">
          <Button variant="main" keys="A" busy={busy} onClick={() => allow('once')}>
            {t('chat.allowOnce')}
          </Button>
          {forSession && (
            <Tooltip side="top" label={t('chat.allowSessionMeans', { mode: t('chat.mode.acceptEdits') })}>
              <Button keys="S" onClick={() => allow('session')}>
                {t('chat.allowSession')}
              </Button>
            </Tooltip>
          )}
          {here && (
            <Tooltip side="top" label={t('chat.allowHereMeans')}>
              <Button keys="H" onClick={() => allow('here')}>
                {t('chat.allowHere')}
              </Button>
            </Tooltip>
          )}
          <Button keys="D" onClick={() => deny()}>
            {t('chat.deny')}
          </Button>
          <Button variant="ghost" keys="W" onClick={() => setWords('')}>
            {t('chat.denyWords')}
          </Button>
        </div>
      ) : (
        <DenyWords words={words} onChange={setWords} onDeny={() => deny(words)} onCancel={() => setWords(null)} />
      )}
    </section>
  )
}

function AskedPart({ call }: { readonly call: AskedCall }) {
  const t = useT()
  const lines = call.kind === 'edit' ? (linesOfPatch(call.exact) ?? linesOfNew(call.exact)) : null
  return (
    <div className="chat-asked">
      <div className="chat-ask-head">
        <Badge tone="ask">{t('chat.asks')}</Badge>
        <b>{t(`chat.askKind.${call.kind}`)}</b>
        <span className="chat-where chat-mono" title={call.where}>
          <bdi dir="ltr">{visible(call.where)}</bdi>
        </span>
      </div>
      {lines ? (
        <DiffLines lines={lines} label={t('chat.diffOf', { path: call.where })} />
      ) : (
        <pre className="chat-cmd">{visible(call.exact)}</pre>
      )}
      <div className="chat-why">
        {call.reason} {call.rule !== null && <span className="chat-mono">{visible(call.rule)}</span>}
      </div>
    </div>
  )
}

interface DenyWordsProps {
  readonly words: string
  readonly onChange: (words: string) => void
  readonly onDeny: () => void
  readonly onCancel: () => void
}

function DenyWords({ words, onChange, onDeny, onCancel }: DenyWordsProps) {
  const t = useT()
  return (
    <form
      className="chat-deny"
      onSubmit={event => {
        event.preventDefault()
        onDeny()
      }}
    >
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person asked for this field a moment ago
        autoFocus
        rows={2}
        value={words}
        aria-label={t('chat.denyWhy')}
        placeholder={t('chat.denyWhy')}
        onChange={event => onChange(event.target.value)}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') onCancel()
          if (event.key === 'Enter' && !event.shiftKey) {
            event.preventDefault()
            onDeny()
          }
        }}
      />
      <div className="chat-buttons">
        <Button variant="main" submit>
          {t('chat.denySend')}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {t('chat.cancel')}
        </Button>
      </div>
    </form>
  )
}
