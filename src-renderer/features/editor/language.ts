/** The language a person chose for a file, over what its name says; kept per workspace. */
import { create } from 'zustand'
import { type AnyPath, pathKey } from '#contract/path'
import { remembered } from '../../state/view/remember.ts'
import { languageOf, type Monaco } from '../../ui/monaco/index.ts'

type Chosen = Readonly<Record<string, string>>
const none: Chosen = {}
const kept = remembered<Chosen>('editorLanguages', none)
const MOST = 200

/** Monaco's id: the person's choice where there is one that is known here, else by the name. */
export function languageFor(monaco: Monaco, path: AnyPath, fileName: string): string {
  const chosen = kept.get()[pathKey(path)]
  const known = chosen !== undefined && monaco.languages.getLanguages().some(({ id }) => id === chosen)
  return known ? chosen : languageOf(monaco, fileName)
}

export const isChosen = (path: AnyPath): boolean => pathKey(path) in kept.get()

/** Null: by its name again. */
export function keepLanguage(path: AnyPath, language: string | null): void {
  kept.set(all => {
    const { [pathKey(path)]: _, ...others } = all
    if (language === null) return others
    return Object.fromEntries([...Object.entries(others).slice(-MOST + 1), [pathKey(path), language]])
  })
}

/** Whether the list in the status line is open. */
export const languageList = create<{ readonly open: boolean }>(() => ({ open: false }))
