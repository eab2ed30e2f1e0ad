/** Models and accounts, for reading. */
import type { StoreApi, UseBoundStore } from 'zustand'
import { type ModelMirror, modelStore } from './model-store.ts'

export type { ModelMirror } from './model-store.ts'

export const modelMirror: UseBoundStore<Pick<StoreApi<ModelMirror>, 'getState' | 'getInitialState' | 'subscribe'>> =
  modelStore
