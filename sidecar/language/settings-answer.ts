/** Answers `workspace/configuration`: an object for every section, for some servers throw at anything else. */
import { arrayOf, objectOf } from './registrations.ts'

/** A section that stands there whole counts before one found step by step; a name nobody knows is an empty object. */
export function answerOf(settings: Readonly<Record<string, unknown>>, params: unknown): unknown[] {
  return arrayOf(objectOf(params).items).map(item => {
    const { section } = objectOf(item)
    const name = typeof section === 'string' ? section : ''
    if (Object.hasOwn(settings, name)) return settings[name]
    if (name === '') return settings
    const found = name
      .split('.')
      .reduce<unknown>((at, part) => (Object.hasOwn(objectOf(at), part) ? objectOf(at)[part] : undefined), settings)
    return found ?? {}
  })
}
