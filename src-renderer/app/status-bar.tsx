/** The bottom line: what the features have to say, and how the window is connected. */
import { useConnection } from '../client/index.ts'
import type { StatusItem } from '../features/feature.ts'
import { writeChord } from '../ui/chord.ts'
import { useT } from '../ui/i18n.ts'
import { isMac, Kbd, Lamp } from '../ui/index.ts'
import { appView } from './app-view.ts'
import { statusAt } from './features.ts'
import { Fence } from './pane-frame.tsx'

export function StatusBar() {
  return (
    <footer className="app-status" data-part="status">
      <div className="app-status-side">
        <Items items={statusAt('left')} />
        <PendingKeys />
      </div>
      <div className="app-status-side">
        <Items items={statusAt('right')} />
        <ConnectionItem />
      </div>
    </footer>
  )
}

function Items({ items }: { readonly items: readonly StatusItem[] }) {
  return items.map(item => (
    <Fence key={item.id} name={item.id} quiet>
      <item.component />
    </Fence>
  ))
}

function PendingKeys() {
  const t = useT()
  const keys = appView(state => state.pendingKeys)
  if (!keys) return null
  const chord = keys.map(press => writeChord(press, isMac())).join(' ')
  return (
    <output className="app-status-item">
      <Kbd chord={chord} /> {t('app.pendingKeys')}
    </output>
  )
}

function ConnectionItem() {
  const t = useT()
  const { sidecar } = useConnection()
  return (
    <output className="app-status-item">
      <Lamp tone={sidecar === 'ready' ? 'ok' : sidecar === 'lost' ? 'error' : 'ask'} />
      {t(`app.connection.${sidecar}`)}
    </output>
  )
}
