/** Which model the session talks to. A provider that a person never agreed to is asked about before anything is sent. */
import { ChevronDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ProviderInfo } from '#contract/model'
import { consentTo } from '../../client/model-pump.ts'
import { modelMirror } from '../../state/mirror/model.ts'
import { showOver } from '../../state/view/main-pane.ts'
import { useT } from '../../ui/i18n.ts'
import { ConfirmDialog, Popover, Spinner } from '../../ui/index.ts'
import { setModel } from './actions.ts'
import { pickerOpen } from './picker-open.ts'
import { showProblem } from './problem.ts'
import { shortModel, useModel } from './use-chat.ts'

const ModelList = lazy(async () => ({ default: (await import('./model-list.tsx')).ModelList }))

export function ModelPicker() {
  const t = useT()
  const { model, effort } = useModel()
  const known = modelMirror(state => state.known)
  const open = pickerOpen(state => state.open === 'model')
  const [asking, setAsking] = useState<{ model: string; provider: ProviderInfo } | null>(null)
  const show = (next: boolean) => pickerOpen.setState({ open: next ? 'model' : null })
  const use = (next: string) => void setModel(next, effort).catch(thrown => showProblem(t('chat.modelFailed'), thrown))
  const choose = (next: string) => {
    show(false)
    const provider = known?.providers.find(each => next.startsWith(`${each.provider}/`))
    if (provider && !provider.consented) setAsking({ model: next, provider })
    else use(next)
  }
  return (
    <>
      <Popover
        label={t('chat.chooseModel')}
        className="chat-models"
        side="top"
        open={open}
        onOpenChange={show}
        trigger={
          <button type="button" className="chat-pick" aria-label={t('chat.modelLabel', { model: shortModel(model) })}>
            <b>{shortModel(model)}</b>
            <ChevronDown size={12} />
          </button>
        }
      >
        <Suspense fallback={<Spinner label={t('chat.chooseModel')} />}>
          <ModelList
            known={known}
            model={model}
            onChoose={choose}
            onSettings={() => {
              show(false)
              showOver('settings', 'models')
            }}
          />
        </Suspense>
      </Popover>
      <ConfirmDialog
        open={asking !== null}
        title={t('chat.consentTitle', { provider: asking?.provider.label ?? '' })}
        body={t('chat.consentBody', { provider: asking?.provider.label ?? '', url: asking?.provider.baseUrl ?? '' })}
        confirmLabel={t('chat.consentYes')}
        cancelLabel={t('chat.cancel')}
        onConfirm={() => {
          if (!asking) return
          void consentTo(asking.provider.provider).then(
            () => use(asking.model),
            thrown => showProblem(t('chat.modelFailed'), thrown),
          )
          setAsking(null)
        }}
        onCancel={() => setAsking(null)}
      />
    </>
  )
}
