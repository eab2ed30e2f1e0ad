/** Brings Monaco in when it is first needed: the window paints without it. */
import { currentLanguage } from '../i18n.ts'
import type { Monaco } from './monaco-api.ts'

let loaded: Monaco | null = null
let loading: Promise<Monaco> | null = null

/** The same promise every time; after a failure (a chunk that could not be fetched) the next call tries again. */
export function loadMonaco(): Promise<Monaco> {
  loading ??= (async () => {
    // Its words must be there before its code.
    if (currentLanguage() === 'zh-CN') await import('monaco-editor/nls/lang/zh-cn.js')
    const { monaco } = await import('./monaco.ts')
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
