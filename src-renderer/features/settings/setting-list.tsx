/** Settings with their controls: what each means, where its value comes from, and the way back to the default. */
import { Lock, RotateCcw } from 'lucide-react'
import { useId } from 'react'
import { toFault } from '#contract/error'
import type { SettingValue } from '#contract/settings'
import { type SettingDef, type SettingKey, settingDefs } from '#contract/settings-schema'
import { saveSetting } from '../../client/settings-pump.ts'
import { settingsMirror } from '../../state/mirror/settings.ts'
import { useT } from '../../ui/i18n.ts'
import { Badge, EmptyState, IconButton, toast } from '../../ui/index.ts'
import { SearchKey } from './search-key.tsx'
import { SettingControl } from './setting-control.tsx'
import {
  type EditedScope,
  groups,
  matchingKeys,
  type SettingGroup,
  settingAbout,
  settingKeys,
  settingName,
} from './setting-text.ts'

export interface SettingListProps {
  /** Null: all that match `query`. */
  readonly group: SettingGroup | null
  readonly query: string
  readonly scope: EditedScope
}

export function SettingList({ group, query, scope }: SettingListProps) {
  const t = useT()
  const keys = group ? settingKeys.filter(key => settingDefs[key].group === group) : matchingKeys(t, query)
  if (keys.length === 0) return <EmptyState title={t('settings.nothing', { query })} body={t('settings.nothingHint')} />
  return groups
    .filter(each => keys.some(key => settingDefs[key].group === each))
    .map(each => (
      <section key={each} className="settings-group" aria-labelledby={`settings-${each}`}>
        <h2 id={`settings-${each}`}>{t(`settings.section.${each}`)}</h2>
        {keys
          .filter(key => settingDefs[key].group === each)
          .map(key => (
            <SettingRow key={key} name={key} scope={scope} />
          ))}
      </section>
    ))
}

export function SettingRow({ name, scope }: { readonly name: SettingKey; readonly scope: EditedScope }) {
  const t = useT()
  const about = useId()
  const value = settingsMirror(state => state.values.get(name))
  const def: SettingDef = settingDefs[name]
  const forbidden = scope === 'workspace' && !def.workspace
  const layers = value?.layers
  const setHere = layers !== undefined && scope in layers
  const shown = scope === 'user' ? (layers?.user ?? def.default) : (layers?.workspace ?? layers?.user ?? def.default)
  const save = async (next: unknown) => {
    try {
      await saveSetting(scope, name, next)
    } catch (fault) {
      toast.error(t('settings.notSaved', { name: settingName(t, name) }), { detail: toFault(fault).message })
    }
  }
  return (
    <div className="settings-row">
      <div className="settings-text">
        <div className="settings-name">
          {settingName(t, name)}
          <Source value={value} scope={scope} />
          {forbidden && (
            <Badge tone="plain">
              <Lock size={10} /> {t('settings.forbidden')}
            </Badge>
          )}
        </div>
        <div className="settings-about" id={about}>
          {settingAbout(t, name)}
        </div>
        <code className="settings-key">{name}</code>
        {name === 'web.search' && scope === 'user' && <SearchKey />}
      </div>
      <div className="settings-control">
        {setHere && (
          <IconButton
            label={t('settings.reset', { name: settingName(t, name) })}
            icon={RotateCcw}
            size={14}
            onClick={() => void save(null)}
          />
        )}
        <SettingControl name={name} value={shown} disabled={forbidden} about={about} onSave={save} />
      </div>
    </div>
  )
}

function Source({ value, scope }: { readonly value: SettingValue | undefined; readonly scope: EditedScope }) {
  const t = useT()
  if (!value || value.scope === 'default') return null
  if (value.scope === 'workspace')
    return (
      <Badge tone={scope === 'user' ? 'ask' : 'accent'}>
        {t(scope === 'user' ? 'settings.overridden' : 'settings.from.workspace')}
      </Badge>
    )
  return <Badge tone={scope === 'user' ? 'accent' : 'plain'}>{t('settings.from.user')}</Badge>
}
