/** Keeps the mirror of models and accounts. Verbs reject with words for a person; no answer carries a key. */
import type { CustomProvider } from '#contract/provider-settings'
import { modelStore } from '../state/mirror/model-store.ts'
import { belay, follow } from './index.ts'

/** Call once. */
export function followModels(): void {
  follow({
    open: () => belay.model.list({}),
    onSnapshot: known => modelStore.setState({ known, fault: null }),
    events: { 'model/changed': () => 'reopen' },
    onFailed: ({ message }) => modelStore.setState({ fault: message }),
  })
}

/** Looks again for local servers and keys in the environment. */
export async function refreshModels(): Promise<void> {
  modelStore.setState({ refreshing: true, fault: null })
  try {
    modelStore.setState({ known: await belay.model.list({ refresh: true }) })
  } catch (fault) {
    modelStore.setState({ fault: (fault as Error).message })
  } finally {
    modelStore.setState({ refreshing: false })
  }
}

const reload = async () => modelStore.setState({ known: await belay.model.list({}) })

export async function chooseModel(model: string): Promise<void> {
  await belay.model.choose({ model })
  await reload()
}
/** A person agrees that prompts and files go to this provider. */
export async function consentTo(provider: string): Promise<void> {
  await belay.model.consent({ provider })
  await reload()
}
export async function saveKey(provider: string, key: string): Promise<void> {
  await belay.model.setKey({ provider, key })
  await reload()
}
export async function deleteKey(provider: string): Promise<void> {
  await belay.model.deleteKey({ provider })
  await reload()
}
export const testProvider = (provider: string, model?: string) => belay.model.test({ provider, model })
/** Into the person's own settings. */
export async function saveProvider(provider: CustomProvider): Promise<void> {
  await belay.model.saveProvider({ provider })
  await reload()
}
export async function removeProvider(provider: string): Promise<void> {
  await belay.model.removeProvider({ provider })
  await reload()
}
/** Asks the provider for its list of models; answers how many it has. */
export async function refreshList(provider: string): Promise<number> {
  const { count } = await belay.model.refresh({ provider })
  await reload()
  return count
}
/** What models took, of the last `days` days. */
export const readUsage = (days: number) => belay.session.usage({ days })
