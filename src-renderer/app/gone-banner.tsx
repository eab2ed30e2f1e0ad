/** Says that the folder of this workspace is not there, what is kept, and what can be done about it. */
import { Unplug } from 'lucide-react'
import { useWorkspace } from '../state/view/workspace.ts'
import { localize, useT } from '../ui/i18n.ts'
import { Button } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { showFault } from './runner.ts'
import { forgetFolder } from './workspace-actions.ts'

export function GoneBanner() {
  const t = useT()
  const [root] = useWorkspace()?.roots ?? []
  if (!root?.missing) return null
  const { absolute: folder } = root
  const forget = () => void forgetFolder(folder).catch(thrown => showFault(t('app.forget'), thrown))
  return (
    <section className="app-banner app-banner-ask" aria-label={t('app.gone', { folder })} role="status">
      <Unplug size={15} />
      <span className="app-banner-text">
        <b>{t('app.gone', { folder })}</b> {localize(root.missing ?? '')} {t('app.goneKept')}
      </span>
      <Button onClick={() => appView.setState({ folderDialog: { kind: 'find', folder } })}>{t('app.findAgain')}</Button>
      <Button variant="ghost" onClick={forget}>
        {t('app.forget')}
      </Button>
    </section>
  )
}
