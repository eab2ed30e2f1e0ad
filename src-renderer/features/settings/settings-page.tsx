/** One page: search over all settings, or a group of them, models, keys, the files as JSON. */
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { mainPane, showOver } from '../../state/view/main-pane.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT } from '../../ui/i18n.ts'
import { cx, IconButton, Segmented, TextField } from '../../ui/index.ts'
import { JsonPage } from './json-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { ModelsPage } from './models-page.tsx'
import { Problems } from './problems.tsx'
import { SettingList } from './setting-list.tsx'
import { type EditedScope, groups, type SettingGroup } from './setting-text.ts'
import { UsagePage } from './usage-page.tsx'
import './settings.css'

type Section = SettingGroup | 'models' | 'usage' | 'keys' | 'json'
const sections: readonly Section[] = [...groups, 'models', 'usage', 'keys', 'json']
const isSection = (text: string | null): text is Section => (sections as readonly (string | null)[]).includes(text)

export function SettingsPage() {
  const t = useT()
  const workspace = useWorkspace()
  const asked = mainPane(state => state.section)
  const [section, setSection] = useState<Section>(isSection(asked) ? asked : 'appearance')
  const [query, setQuery] = useState('')
  const [scope, setScope] = useState<EditedScope>('user')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isSection(asked)) {
      setSection(asked)
      setQuery('')
    }
  }, [asked])
  const own = section === 'models' || section === 'usage' || section === 'keys' || section === 'json'
  const searching = query.trim() !== '' && !own
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
    event.stopPropagation()
    if (query) setQuery('')
    else showOver(null)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the page from anywhere in it
    <div className="settings" onKeyDown={onKeyDown}>
      <div className="settings-head">
        <h1>{t('settings.title')}</h1>
        <TextField
          ref={field}
          className="settings-search"
          type="search"
          label={t(section === 'keys' ? 'settings.searchKeys' : 'settings.search')}
          hideLabel
          placeholder={t(section === 'keys' ? 'settings.searchKeys' : 'settings.search')}
          value={query}
          onChange={text => {
            setQuery(text)
            if (own && section !== 'keys') setSection('appearance')
          }}
          data-autofocus
        />
        {workspace && !own && (
          <Segmented
            label={t('settings.scope')}
            value={scope}
            onChange={setScope}
            options={[
              { value: 'user', label: t('settings.scope.user') },
              { value: 'workspace', label: t('settings.scope.workspace'), disabled: !workspace.trusted },
            ]}
          />
        )}
        <IconButton label={t('settings.close')} icon={X} keys="Escape" onClick={() => showOver(null)} />
      </div>
      <div className="settings-body">
        <nav className="settings-nav" aria-label={t('settings.sections')}>
          {sections.map(each => (
            <button
              key={each}
              type="button"
              className={cx(each === section && !searching && 'settings-on')}
              aria-current={each === section && !searching ? 'page' : undefined}
              onClick={() => {
                setSection(each)
                setQuery('')
              }}
            >
              {t(`settings.section.${each}`)}
            </button>
          ))}
        </nav>
        <div className="settings-content">
          <Problems />
          {section === 'models' ? (
            <ModelsPage />
          ) : section === 'usage' ? (
            <UsagePage />
          ) : section === 'keys' ? (
            <KeysPage query={query} />
          ) : section === 'json' ? (
            <JsonPage />
          ) : (
            <SettingList
              group={searching ? null : section}
              query={searching ? query : ''}
              scope={workspace?.trusted ? scope : 'user'}
            />
          )}
        </div>
      </div>
    </div>
  )
}
