/** Brings Monaco in when it is first needed: the window paints without it. */
import { afterStart, whenIdle } from '../after-start.ts'
import { currentLanguage } from '../i18n.ts'
import type { Monaco } from './monaco-api.ts'

let loaded: Monaco | null = null
let loading: Promise<Monaco> | null = null

/** The same promise every time; after a failure (a chunk that could not be fetched) the next call tries again. */
export function loadMonaco(): Promise<Monaco> {
  loading ??= (async () => {
    // Its words must be there before its code.
    if (currentLanguage() === 'zh-CN') await import('monaco-editor/nls/lang/zh-cn.js')
    // In pieces: one for all would hold the window's keys up while it runs. `monaco.ts` starts the services and so comes
    // last: what registers after it is not found.
    await import('monaco-editor/editor')
    await import('./monaco-features.ts')
    const { registerLanguages } = await import('./monaco-languages.ts')
    const { monaco } = await import('./monaco.ts')
    registerLanguages(monaco)
    loaded = monaco
    return monaco
  })().catch(fault => {
    loading = null
    throw fault
  })
  return loading
}

/** Monaco, if it is there already. */
export const monacoNow = (): Monaco | null => loaded

let warm = false

/** Loads Monaco while nothing else is to do and shows one text out of sight, so that the first real one paints at once. Never rejects. */
export async function warmMonaco(): Promise<void> {
  if (warm) return
  warm = true
  try {
    await afterStart()
    const monaco = await loadMonaco()
    await whenIdle()
    const box = document.createElement('div')
    box.inert = true
    Object.assign(box.style, { position: 'fixed', left: '-2000px', top: '0', width: '600px', height: '400px' })
    document.body.append(box)
    const model = monaco.editor.createModel('export const warm = (value: number) => value // 1\n', 'typescript')
    const shown = monaco.editor.create(box, { model, readOnly: true })
    await new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)))
    shown.dispose()
    model.dispose()
    box.remove()
  } catch {
    // The first file opened tries again, and says what is wrong.
    warm = false
  }
}
