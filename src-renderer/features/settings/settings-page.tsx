/** One page: search over all settings, or a group of them, models, keys, the files as JSON. */
import { X } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { mainPane, showOver } from '../../state/view/main-pane.ts'
import { useWorkspace } from '../../state/view/workspace.ts'
import { useT, withWords } from '../../ui/i18n.ts'
import { cx, IconButton, Segmented, Spinner, TextField } from '../../ui/index.ts'
import { JsonPage } from './json-page.tsx'
import { KeysPage } from './keys-page.tsx'
import { ModelsPage } from './models-page.tsx'
import { Problems } from './problems.tsx'
import { SettingList } from './setting-list.tsx'
import { type EditedScope, groups, type SettingGroup } from './setting-text.ts'
import { UsagePage } from './usage-page.tsx'
import './settings.css'

interface PageProps {
  readonly query: string
}
/** A page of its own instead of a list of settings. */
const pages = {
  models: ModelsPage,
  agents: lazy(async () => ({ default: (await withWords('agents', import('./agents/agents-page.tsx'))).AgentsPage })),
  memory: lazy(async () => ({ default: (await withWords('memory', import('./memory/memory-page.tsx'))).MemoryPage })),
  rules: lazy(async () => ({ default: (await withWords('rules', import('./rules/rules-page.tsx'))).RulesPage })),
  record: lazy(async () => ({ default: (await withWords('record', import('./record/record-page.tsx'))).RecordPage })),
  jail: lazy(async () => {
    // What it stopped is told in the record's words.
    const page = withWords('record', withWords('jail', import('./jail/jail-page.tsx')))
    return { default: (await page).JailPage }
  }),
  languages: lazy(async () => ({
    default: (await withWords('servers', import('./languages/languages-page.tsx'))).LanguagesPage,
  })),
  kept: lazy(async () => ({ default: (await import('./kept-page.tsx')).KeptPage })),
  usage: UsagePage,
  keys: KeysPage,
  json: JsonPage,
} satisfies Record<string, ComponentType<PageProps>>
type PageName = keyof typeof pages
/** In which the field at the top looks for what the page lists. */
const searched: ReadonlySet<string> = new Set<PageName>(['agents', 'memory', 'rules', 'record', 'languages', 'keys'])
const isPage = (section: Section): section is PageName => section in pages

type Section = SettingGroup | PageName
const sections: readonly Section[] = [...groups, ...(Object.keys(pages) as PageName[])]
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
  const nav = useRef<HTMLElement>(null)
  // Where the sections are one row, the one in front may stand outside of it: also once the page has become narrower.
  useEffect(() => {
    const element = nav.current
    if (!element || !section) return
    const show = () => element.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const observer = new ResizeObserver(show)
    observer.observe(element)
    return () => observer.disconnect()
  }, [section])
  const own = isPage(section)
  const searchWords = t(searched.has(section) ? `settings.search.${section}` : 'settings.search')
  const Page: ComponentType<PageProps> = pages[own ? section : 'models']
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
          label={searchWords}
          hideLabel
          placeholder={searchWords}
          value={query}
          onChange={text => {
            setQuery(text)
            if (own && !searched.has(section)) setSection('appearance')
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
        <nav ref={nav} className="settings-nav" aria-label={t('settings.sections')}>
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
          {own ? (
            <Suspense fallback={<Spinner label={t('app.loading')} />}>
              <Page query={query} />
            </Suspense>
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
