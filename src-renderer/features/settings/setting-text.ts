/** Names of settings as people read them, and which of them a search means. */
import { type SettingDef, type SettingKey, settingDefs } from '#contract/settings-schema'
import type { Translate } from '../../ui/i18n.ts'

/** Which layer a page edits. */
export type EditedScope = 'user' | 'workspace'

export type SettingGroup = SettingDef['group']
export const groups: readonly SettingGroup[] = ['appearance', 'editor', 'files', 'terminal', 'agent', 'notifications']
/** Those of the list; what has a page of its own is not in it. */
export const settingKeys = (Object.entries(settingDefs) as [SettingKey, SettingDef][]).flatMap(([key, { page }]) =>
  page ? [] : [key],
)

export const settingName = (t: Translate, key: SettingKey): string => t(`setting.${key}`)
export const settingAbout = (t: Translate, key: SettingKey): string => t(`setting.${key}.about`)
export const choiceName = (t: Translate, key: SettingKey, choice: string): string => t(`setting.${key}.${choice}`)

/** Every word must be in the id, the name, the description or a choice. */
export function matchingKeys(t: Translate, query: string): SettingKey[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  return settingKeys.filter(key => {
    const { choices = [] }: SettingDef = settingDefs[key]
    const all = [key, settingName(t, key), settingAbout(t, key), ...choices.map(choice => choiceName(t, key, choice))]
    const text = all.join('\n').toLowerCase()
    return words.every(word => text.includes(word))
  })
}
